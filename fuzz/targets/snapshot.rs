#![no_main]
libfuzzer_sys::fuzz_target!(|input: &[u8]| skillpick_fuzz::snapshot(input));
