#![no_main]
libfuzzer_sys::fuzz_target!(|input: skillpick_fuzz::Rendered| skillpick_fuzz::render(input));
