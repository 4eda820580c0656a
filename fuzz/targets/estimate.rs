#![no_main]
libfuzzer_sys::fuzz_target!(|input: skillpick_fuzz::Texts| skillpick_fuzz::estimator(input));
