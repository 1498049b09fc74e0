package org.relaxvm.builtins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.builtins.Failures.assertFails;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.StringTensor;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.builtins.fakes.FakeVm;

class StringBuiltinsTest {
  private final FakeVm vm = new FakeVm();

  private static Tuple words(String... words) {
    return StringTensor.of(words).toTuple();
  }

  private static String text(Value value) {
    return StringTensor.of(value.object()).toString();
  }

  @Test
  void elementsAreSelectedFromAllOperands() {
    Tensor at = Tensor.of(new long[] {2, 0, -1, 1}, Shape.of(2, 2));
    assertThat(text(vm.call("relaxvm.string_select", at, words("a", "b"), words("c"))))
        .isEqualTo("StringTensor[shape=[2, 2], elements=[c, a, , b]]");
  }

  @Test
  void operandsBroadcast() {
    Tuple column = new StringTensor(Shape.of(2, 1), List.of("a", "b")).toTuple();
    assertThat(text(vm.call("relaxvm.string_concat", column, words("x", "y"))))
        .isEqualTo("StringTensor[shape=[2, 2], elements=[ax, ay, bx, by]]");
    Tensor equal = vm.call("relaxvm.host.string_equal", column, words("a", "b")).asTensor();
    assertThat(equal).hasToString("bool[2, 2] on cpu:0");
    assertThat(equal.toLongArray()).containsExactly(1, 0, 0, 1);
    assertFails(
        ErrorKind.VALUE,
        "the shapes [2] and [3] do not broadcast",
        () -> vm.call("relaxvm.string_concat", words("a", "b"), words("a", "b", "c")));
  }

  @Test
  void patternsThatBacktrackTooMuchAreStopped() {
    assertFails(
        ErrorKind.VALUE,
        "the pattern '.*.*.*.*.*.*.*x' needs too large a number of steps to match a string of 500"
            + " characters\n  what to do: use a pattern that backtracks less",
        () -> vm.call("relaxvm.host.string_match", words("a".repeat(500)), ".*".repeat(7) + "x"));
    assertFails(
        ErrorKind.VALUE,
        "the pattern '(a|b)*' needs too large a stack to match a string of 1000000 characters"
            + "\n  what to do: use a pattern that backtracks less",
        () -> vm.call("relaxvm.host.string_match", words("a".repeat(1_000_000)), "(a|b)*"));
    String longText = "a".repeat(20_000_000);
    assertThat(vm.call("relaxvm.host.string_match", words(longText), "a*").asTensor().toLongArray())
        .containsExactly(1);
  }

  private String split(Tuple x, String delimiter, long most) {
    Tuple both = vm.call("relaxvm.host.string_split", x, delimiter, most).asTuple();
    return StringTensor.of(both.get(0)).elements()
        + " "
        + Arrays.toString(both.at(1).asTensor().toLongArray());
  }

  @Test
  void stringsAreSplit() {
    assertThat(split(words("a,,b", "c"), ",", -1)).isEqualTo("[a, , b, c, , ] [3, 1]");
    assertThat(split(words("a,b,c"), ",", 1)).isEqualTo("[a, b,c] [2]");
    assertThat(split(words(" a  b ", ""), "", -1)).isEqualTo("[a, b, , ] [2, 0]");
    assertThat(split(words("a  b c"), "", 1)).isEqualTo("[a, b c] [2]");
    assertThat(split(words("a--b"), "--", -1)).isEqualTo("[a, b] [2]");
    assertThat(split(words(), "", -1)).isEqualTo("[] []");
  }

  @Test
  void stringsAreLeftOutAndChanged() {
    assertThat(
            text(
                vm.call("relaxvm.string_normalize", words("A", "b", "c"), "UPPER", false, "", "a")))
        .isEqualTo("StringTensor[shape=[2], elements=[B, C]]");
    assertThat(text(vm.call("relaxvm.string_normalize", words("A", "b"), "NONE", true, "", "a")))
        .isEqualTo("StringTensor[shape=[2], elements=[A, b]]");
    assertThat(text(vm.call("relaxvm.string_normalize", words("I"), "LOWER", true, "tr_TR.UTF-8")))
        .isEqualTo("StringTensor[shape=[1], elements=[\u0131]]");
    Tuple row = new StringTensor(Shape.of(1, 1), List.of("a")).toTuple();
    assertThat(text(vm.call("relaxvm.string_normalize", row, "NONE", true, "", "a")))
        .isEqualTo("StringTensor[shape=[1, 1], elements=[]]");
  }

  @Test
  void numbersAndStringsConvert() {
    Tensor doubles = Tensor.of(new double[] {1e16, 0.1, -0.0}, Shape.of(3));
    assertThat(text(vm.call("relaxvm.string_format", doubles)))
        .isEqualTo("StringTensor[shape=[3], elements=[1e+16, 0.1, -0.0]]");
    Tensor parsed =
        vm.call("relaxvm.host.string_parse", words("1e3", "-INF", "nan"), DType.FLOAT64).asTensor();
    assertThat(parsed.toDoubleArray()).containsExactly(1000, Double.NEGATIVE_INFINITY, Double.NaN);
    assertFails(
        ErrorKind.VALUE,
        "the string '99999999999999999999' is not an integer of 64 bits",
        () -> vm.call("relaxvm.host.string_parse", words("99999999999999999999"), DType.INT64));
  }

  @Test
  void valuesAreLookedUp() {
    Tensor found =
        vm.call("relaxvm.host.string_lookup", words("b", "z"), words("a", "b"), false).asTensor();
    assertThat(found.toLongArray()).containsExactly(1, -1);
    Tensor reals = Tensor.of(new float[] {-0.0f, Float.NaN, 2}, Shape.of(3));
    Tensor keys = Tensor.of(new double[] {Double.NaN, 0}, Shape.of(2));
    assertThat(vm.call("relaxvm.host.lookup", reals, keys, false).asTensor().toLongArray())
        .containsExactly(1, 0, -1);
    assertFails(
        ErrorKind.VALUE,
        "the value z is none of the categories",
        () -> vm.call("relaxvm.host.string_lookup", words("z"), words("a"), true));
  }

  @Test
  void whatIsNoStringTensorIsRefused() {
    assertFails(
        ErrorKind.TYPE,
        "expected strings, a tuple of a shape and of as many strings, but got a string\n"
            + "  what to do: make the value with StringTensor.toTuple()",
        () -> vm.call("relaxvm.string_concat", "a", words("b")));
  }

  @Test
  void probabilitiesOfPairsGiveThoseOfClasses() {
    Tensor two = Tensor.of(new double[] {0.25}, Shape.of(1, 1));
    assertThat(vm.call("relaxvm.host.coupled_probabilities", two, 2).asTensor().toDoubleArray())
        .containsExactly(0.25, 0.75);
    // Odds of 4 : 2 : 1 in each pair.
    Tensor three = Tensor.of(new double[] {4 / 6.0, 4 / 5.0, 2 / 3.0}, Shape.of(1, 3));
    double[] p = vm.call("relaxvm.host.coupled_probabilities", three, 3).asTensor().toDoubleArray();
    assertThat(p[0]).isBetween(0.56, 0.58);
    assertThat(p[1]).isBetween(0.28, 0.295);
    assertThat(p[0] + p[1] + p[2]).isBetween(0.9999, 1.0001);
  }
}
