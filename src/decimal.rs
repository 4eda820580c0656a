//! Numbers as text, the same on every platform and without the tables of a general formatter.

/// The value of a number's text; exact for up to 15 digits and powers to 22, within two units in the last place beyond.
pub(crate) fn read_number(text: &[u8]) -> f64 {
    let (mut mantissa, mut exponent) = (0_u64, 0_i32);
    let mut rest = text.iter().copied().peekable();
    let negative = rest.next_if_eq(&b'-').is_some();
    let mut behind_point = false;
    while let Some(byte) = rest.next_if(|byte| byte.is_ascii_digit() || *byte == b'.') {
        if byte == b'.' {
            behind_point = true;
        } else if mantissa < 100_000_000_000_000_000 {
            mantissa = mantissa * 10 + u64::from(byte - b'0');
            exponent -= i32::from(behind_point);
        } else {
            exponent += i32::from(!behind_point);
        }
    }
    if rest.next().is_some() {
        let down = rest.next_if(|byte| matches!(byte, b'+' | b'-')) == Some(b'-');
        let power = rest.fold(0_i32, |power, byte| power.saturating_mul(10).saturating_add(i32::from(byte - b'0')));
        exponent = exponent.saturating_add(if down { -power } else { power });
    }
    let number = scaled(mantissa as f64, exponent.clamp(-400, 400));
    if negative { -number } else { number }
}

fn scaled(mut number: f64, exponent: i32) -> f64 {
    let mut left = exponent.unsigned_abs();
    while left > 0 {
        let step = left.min(22);
        let power = ten_to(step);
        number = if exponent < 0 { number / power } else { number * power };
        left -= step;
    }
    number
}

/// Exact for powers to 22.
fn ten_to(power: u32) -> f64 {
    (0..power).fold(1.0, |product, _| product * 10.0)
}

/// The digits of a whole number.
pub(crate) fn whole(mut number: u64) -> String {
    let mut digits = Vec::new();
    loop {
        digits.push(char::from(b'0' + (number % 10) as u8));
        number /= 10;
        if number == 0 {
            return digits.into_iter().rev().collect();
        }
    }
}

/// Largest whole number below which every whole number is a floating-point number.
const WHOLE: f64 = 9_007_199_254_740_992.0;

/// The fewest decimals that read back as the same number; 17 digits where no 15 decimals do.
pub(crate) fn decimal(number: f64) -> String {
    if !number.is_finite() {
        return String::from(if number.is_nan() { "NaN" } else { "Infinity" });
    }
    let sign = if number < 0.0 { "-" } else { "" };
    let size = number.abs();
    for decimals in 0..=15_u32 {
        let shifted = (size * ten_to(decimals)).round();
        if shifted < WHOLE && (shifted / ten_to(decimals)).to_bits() == size.to_bits() {
            return format!("{sign}{}", pointed(shifted as u64, decimals as usize));
        }
    }
    let (mut digits, mut power) = (size, 0_i32);
    while digits >= WHOLE {
        digits /= 10.0;
        power += 1;
    }
    while digits < WHOLE / 10.0 {
        digits *= 10.0;
        power -= 1;
    }
    let exponent = if power < 0 { format!("-{}", whole(u64::from(power.unsigned_abs()))) } else { whole(power as u64) };
    format!("{sign}{}e{exponent}", whole(digits.round() as u64))
}

fn pointed(number: u64, decimals: usize) -> String {
    let mut digits = whole(number);
    if decimals > 0 {
        while digits.len() <= decimals {
            digits.insert(0, '0');
        }
        digits.insert(digits.len() - decimals, '.');
    }
    digits
}
