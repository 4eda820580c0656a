#![no_main]
libfuzzer_sys::fuzz_target!(|input: skillpick_fuzz::Loading| skillpick_fuzz::load(input));
