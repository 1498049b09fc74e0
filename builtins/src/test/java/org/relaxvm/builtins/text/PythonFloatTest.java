package org.relaxvm.builtins.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PythonFloatTest {
  @ParameterizedTest
  @CsvSource({
    "1, 1.0",
    "-0.0, -0.0",
    "0, 0.0",
    "0.1, 0.1",
    "0.0001, 0.0001",
    "0.00001, 1e-05",
    "1.5e-7, 1.5e-07",
    "1e15, 1000000000000000.0",
    "1e16, 1e+16",
    "-1.25e300, -1.25e+300",
    "123456.789, 123456.789",
    "NaN, nan",
    "-Infinity, -inf"
  })
  void floatsPrintAsInPython(double value, String text) {
    assertThat(PythonFloat.repr(value)).isEqualTo(text);
  }
}
