package org.relaxvm.builtins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.builtins.Failures.assertFails;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.Closure;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.builtins.fakes.FakeVm;

class CheckBuiltinsTest {
  private static final String CONTEXT = "ErrorContext(fn=f) ";
  private static final PackedFunc NOTHING = (args, result) -> {};

  private final FakeVm vm = new FakeVm();
  private final Tensor tensor = Tensor.zeros(DType.FLOAT32, Shape.of(2, 3));

  @Test
  void aTensorPassesWithItsOwnOrNoRankAndDtype() {
    passes("vm.builtin.check_tensor_info", tensor, 2, DType.FLOAT32, CONTEXT);
    passes("vm.builtin.check_tensor_info", tensor, -1, DType.FLOAT32, CONTEXT);
    passes("vm.builtin.check_tensor_info", tensor, 2, null, CONTEXT);
    passes("vm.builtin.check_tensor_info", tensor, 2, CONTEXT);
    passes("vm.builtin.check_tensor_info", tensor, -1, null);
  }

  @Test
  void whatIsNoTensorIsRefused() {
    refused(
        ErrorKind.TYPE,
        "a checked value: it is a shape, expected a tensor\n" + "  context: ErrorContext(fn=f)",
        "vm.builtin.check_tensor_info",
        Shape.of(1),
        1,
        DType.INT32,
        CONTEXT);
    refusedAsInTvm(
        ErrorKind.TYPE,
        " expect a Tensor but get None",
        "a checked value: it is null, expected a tensor",
        "vm.builtin.check_tensor_info",
        null,
        1,
        null);
    refusedAsInTvm(
        ErrorKind.TYPE,
        "ErrorContext(fn=f)  expect a Tensor but get int",
        "a checked value: it is an integer, expected a tensor\n" + "  context: ErrorContext(fn=f)",
        "vm.builtin.check_tensor_info",
        3L,
        1,
        CONTEXT);
  }

  @Test
  void anotherRankIsRefusedBeforeAnotherDtype() {
    refused(
        ErrorKind.VALUE,
        "a checked value: the tensor has 2 dimensions, expected 3\n"
            + "  context: ErrorContext(fn=shape_roundtrip)",
        "vm.builtin.check_tensor_info",
        tensor,
        3,
        DType.INT32,
        "ErrorContext(fn=shape_roundtrip)");
    refusedAsInTvm(
        ErrorKind.VALUE,
        "ErrorContext(fn=f)  expect Tensor with dtype int32 but get float32",
        "a checked value: the tensor is of float32, expected int32\n"
            + "  context: ErrorContext(fn=f)",
        "vm.builtin.check_tensor_info",
        tensor,
        2,
        DType.INT32,
        CONTEXT);
  }

  @Test
  void anotherNumberOfArgumentsIsRefused() {
    refused(
        ErrorKind.TYPE,
        "vm.builtin.check_tensor_info(x, ndim[," + " dtype], err_ctx) takes 3 arguments, but got 1",
        "vm.builtin.check_tensor_info",
        tensor);
  }

  @Test
  void shapesAreChecked() {
    passes("vm.builtin.check_shape_info", Shape.of(2, 3), 2, CONTEXT);
    passes("vm.builtin.check_shape_info", Shape.scalar(), 0, CONTEXT);
    passes("vm.builtin.check_shape_info", Shape.of(2, 3), -1, null);
    refused(
        ErrorKind.TYPE,
        "a checked value: it is a tensor, expected a shape\n" + "  context: ErrorContext(fn=f)",
        "vm.builtin.check_shape_info",
        tensor,
        2,
        CONTEXT);
    refusedAsInTvm(
        ErrorKind.VALUE,
        "ErrorContext(fn=f)  expect Shape with ndim 1 but get 2",
        "a checked value: the shape has 2 dimensions, expected 1\n"
            + "  context: ErrorContext(fn=f)",
        "vm.builtin.check_shape_info",
        Shape.of(2, 3),
        1,
        CONTEXT);
  }

  @Test
  void primValuesPassWhenTheyConvert() {
    passes("vm.builtin.check_prim_value_info", 1L, DType.INT64, CONTEXT);
    passes("vm.builtin.check_prim_value_info", true, DType.INT64, CONTEXT);
    passes("vm.builtin.check_prim_value_info", 1L, DType.UINT8, CONTEXT);
    passes("vm.builtin.check_prim_value_info", 1L, DType.BOOL, CONTEXT);
    passes("vm.builtin.check_prim_value_info", 1.5, DType.FLOAT32, CONTEXT);
    passes("vm.builtin.check_prim_value_info", 1L, DType.FLOAT16, CONTEXT);
    passes("vm.builtin.check_prim_value_info", false, DType.FLOAT64, CONTEXT);
    passes("vm.builtin.check_prim_value_info", null, DType.parse("handle"), CONTEXT);
    passes("vm.builtin.check_prim_value_info", vm, DType.parse("handle"), CONTEXT);
  }

  @Test
  void primValuesOfAnotherKindAreRefused() {
    refused(
        ErrorKind.TYPE,
        "a checked value: it is a tensor, expected a number of int64\n"
            + "  context: ErrorContext(fn=f)",
        "vm.builtin.check_prim_value_info",
        tensor,
        DType.INT64,
        CONTEXT);
    refusedAsInTvm(
        ErrorKind.TYPE,
        "Cannot convert from type `float` to `int`",
        "a checked value: it is a floating-point number, expected an integer\n"
            + "  context: ErrorContext(fn=f)",
        "vm.builtin.check_prim_value_info",
        1.5,
        DType.INT64,
        CONTEXT);
    refusedAsInTvm(
        ErrorKind.TYPE,
        "Cannot convert from type `None` to `bool`",
        "a checked value: it is null, expected a boolean",
        "vm.builtin.check_prim_value_info",
        null,
        DType.BOOL,
        null);
    refusedAsInTvm(
        ErrorKind.TYPE,
        "Cannot convert from type `DataType` to `float`",
        "a checked value: it is a data type, expected a floating-point number\n"
            + "  context: ErrorContext(fn=f)",
        "vm.builtin.check_prim_value_info",
        DType.INT8,
        DType.FLOAT32,
        CONTEXT);
    refusedAsInTvm(
        ErrorKind.TYPE,
        "Cannot convert from type `int` to `void*`",
        "a checked value: it is an integer, expected a pointer\n" + "  context: ErrorContext(fn=f)",
        "vm.builtin.check_prim_value_info",
        1L,
        DType.parse("handle"),
        CONTEXT);
  }

  @Test
  void primValuesOfUnknownDtypesAreRefused() {
    refused(
        ErrorKind.TYPE,
        "a checked value: a number cannot be of the declared type 'bfloat16'\n"
            + "  context: ErrorContext(fn=f)",
        "vm.builtin.check_prim_value_info",
        1.5,
        DType.BFLOAT16,
        CONTEXT);
    refusedAsInTvm(
        ErrorKind.TYPE,
        "ErrorContext(fn=f) , unsupported dtype ",
        "a checked value: a number cannot be of the declared type 'void'\n"
            + "  context: ErrorContext(fn=f)",
        "vm.builtin.check_prim_value_info",
        1L,
        DType.VOID,
        CONTEXT);
  }

  @Test
  void tuplesAreChecked() {
    passes("vm.builtin.check_tuple_info", Tuple.of(1L, 2L), 2, CONTEXT);
    passes("vm.builtin.check_tuple_info", Tuple.of(), 0, CONTEXT);
    refused(
        ErrorKind.TYPE,
        "a checked value: it is a string, expected a tuple\n" + "  context: ErrorContext(fn=f)",
        "vm.builtin.check_tuple_info",
        "text",
        2,
        CONTEXT);
    refusedAsInTvm(
        ErrorKind.VALUE,
        "ErrorContext(fn=f)  expect a Tuple with 3 elements,  but get a Tuple with 2 elements.",
        "a checked value: the tuple has 2 fields, expected 3\n" + "  context: ErrorContext(fn=f)",
        "vm.builtin.check_tuple_info",
        Tuple.of(1L, 2L),
        3,
        CONTEXT);
  }

  @Test
  void functionsAreChecked() {
    passes("vm.builtin.check_func_info", NOTHING, CONTEXT);
    passes("vm.builtin.check_func_info", Closure.of("f", NOTHING), CONTEXT);
    refused(
        ErrorKind.TYPE,
        "a checked value: it is a tuple, expected a function\n" + "  context: ErrorContext(fn=f)",
        "vm.builtin.check_func_info",
        Tuple.of(),
        CONTEXT);
  }

  private void passes(String name, @Nullable Object... args) {
    assertThat(vm.call(name, args).isNull()).isTrue();
  }

  private void refused(ErrorKind kind, String message, String name, @Nullable Object... args) {
    assertFails(kind, message, () -> vm.call(name, args));
  }

  private void refusedAsInTvm(
      ErrorKind kind, String tvmMessage, String message, String name, @Nullable Object... args) {
    assertFails(kind, tvmMessage, message, () -> vm.call(name, args));
  }
}
