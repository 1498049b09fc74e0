package org.relaxvm.tir.eval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.tir.eval.Ir.at;
import static org.relaxvm.tir.eval.Ir.floats;
import static org.relaxvm.tir.eval.Ir.kernel;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.memory.AllocatorOptions;
import org.relaxvm.api.memory.DeviceTensors;
import org.relaxvm.api.memory.NaiveAllocator;
import org.relaxvm.api.spi.Allocator;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.MemoryScope;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.Return;
import org.relaxvm.tir.stmt.Seq;

class ArgumentBindingTest {
  private final Var n = Var.index("n");
  private final Var s = Var.index("s");
  private final Buffer a = floats("A", n, at(3));

  @Test
  void extentsAreDefinedByTheFirstThatHasThem() {
    Buffer b = floats("B", Exprs.add(n, 1));
    assertThat(value(n, List.of(zeros(5, 3), zeros(6)), a, b)).isEqualTo(5);
    assertThat(value(n, List.of(zeros(6), zeros(5, 3)), b, a)).isEqualTo(5);
    assertRefused(
        "the parameter B: expected the extent of axis 0 to be 6, but got 5\n  at kernel f, n = 5",
        List.of(zeros(5, 3), zeros(5)),
        a,
        b);
    assertRefused(
        "the parameter C: expected the extent of axis 1 to be 5 (n of the parameter A), but got 4"
            + "\n  at kernel f, n = 5",
        List.of(zeros(5, 3), zeros(2, 4)),
        a,
        floats("C", at(2), n));
    assertRefused(
        "the parameter A: expected the extent of axis 1 to be 3, but got 2\n  at kernel f, n = 5",
        List.of(zeros(5, 2)),
        a);
  }

  @Test
  void scalarsDefineExtentsFirst() {
    PrimFunc function =
        kernel(DType.INT64, new Return(n), new Param.OfBuffer(a), new Param.OfScalar(n));
    assertThat(new Evaluator().run(function, List.of(zeros(5, 3), 5L))).contains(5L);
    assertThatThrownBy(() -> new Evaluator().run(function, List.of(zeros(5, 3), 4L)))
        .isInstanceOf(CallException.class)
        .hasMessage(
            "the parameter A: expected the extent of axis 0 to be 4 (n of the parameter n), but"
                + " got 5\n  at kernel f, n = 4");
  }

  @Test
  void stridesAreDefinedOrCompared() {
    Buffer strided = buffer(List.of(n, at(3)), List.of(s, at(1)), at(0));
    Tensor wide = zeros(4, 5).slice(1, 1, 4);
    assertThat(value(s, List.of(wide), strided)).isEqualTo(5);
    assertRefused(
        "the parameter S: expected the stride of axis 1 to be 1, but got 4"
            + "\n  at kernel f, n = 4, s = 1",
        List.of(zeros(3, 4).permute(1, 0)),
        strided);
    Buffer other = floats("B", s);
    assertRefused(
        "the parameter S: expected the stride of axis 0 to be 7 (s of the parameter B), but got 5"
            + "\n  at kernel f, n = 4, s = 7",
        List.of(wide, zeros(7)),
        strided,
        other);
    // A single row steps nowhere.
    assertThat(value(s, List.of(wide.slice(0, 0, 1), zeros(7)), strided, other)).isEqualTo(7);
    assertThat(value(s, List.of(wide.slice(0, 0, 1)), strided)).isEqualTo(5);
  }

  @Test
  void offsetsAreDefinedOrComparedUnlessTheyAreZero() {
    Tensor tail = zeros(10).slice(0, 4, 6);
    assertThat(value(s, List.of(tail), buffer(List.of(at(2)), List.of(), s))).isEqualTo(4);
    assertThat(value(at(1), List.of(tail), buffer(List.of(at(2)), List.of(), at(0)))).isEqualTo(1);
    assertRefused(
        "the parameter S: expected the offset to be 3, but got 4\n  at kernel f",
        List.of(tail),
        buffer(List.of(at(2)), List.of(), at(3)));
    Tensor bytes = Tensor.zeros(DType.INT8, Shape.of(16));
    Tensor odd = Tensor.view(bytes.storage(), 2, DType.FLOAT32, Shape.of(2));
    assertRefused(
        "the parameter S: expected an offset of whole elements of 4 bytes, but got 2 bytes"
            + "\n  at kernel f",
        List.of(odd),
        buffer(List.of(at(2)), List.of(), s));
  }

  @Test
  void argumentsOfTheWrongKindAreRefused() {
    assertRefused(
        "expected 1 argument for the parameters [A], but got 2\n  at kernel f", List.of(1L, 2L), a);
    assertRefused(
        "the parameter A: expected a tensor of float32 with 2 axes, but got the Long 1"
            + "\n  at kernel f",
        List.of(1L),
        a);
    assertRefused(
        "the parameter A: expected a tensor of float32 with 2 axes, but got null\n  at kernel f",
        Arrays.asList((Object) null),
        a);
    assertRefused(
        "the parameter A: expected elements of float32, but got int64\n  at kernel f",
        List.of(Tensor.zeros(DType.INT64, Shape.of(5, 3))),
        a);
    assertRefused(
        "the parameter A: expected 2 axes, but got 1, of the shape [5]\n  at kernel f",
        List.of(zeros(5)),
        a);
    Tensor closed = zeros(5, 3);
    closed.close();
    assertRefused(
        "the parameter A: expected a tensor that can be used, but got one that is closed"
            + "\n  at kernel f",
        List.of(closed),
        a);
  }

  @Test
  void tensorsOfOtherDevicesAreRefused() {
    FarDevice device = new FarDevice();
    Allocator allocator = new NaiveAllocator(device, AllocatorOptions.DEFAULT);
    Tensor far =
        DeviceTensors.allocate(allocator, DType.FLOAT32, Shape.of(5, 3), device.openStream());
    assertRefused(
        "the parameter A: expected a tensor on the host, such as toHost() gives, but got"
            + " float32[5, 3] on cuda:0\n  at kernel f",
        List.of(far),
        a);
    far.close();
  }

  @Test
  void scalarsMustHaveTheTypeAndRangeOfTheirDtype() {
    assertScalarRefused(
        DType.INT8, 128L, "the parameter x: expected a value in the range of int8, but got 128");
    assertScalarRefused(
        DType.UINT32, -1L, "the parameter x: expected a value in the range of uint32, but got -1");
    assertScalarRefused(
        DType.INT64, 1.0, "the parameter x: expected a Long for int64, but got the Double 1.0");
    assertScalarRefused(
        DType.FLOAT16, 1L, "the parameter x: expected a Double for float16, but got the Long 1");
    assertScalarRefused(
        DType.BOOL, 1L, "the parameter x: expected a Boolean for bool, but got the Long 1");
    assertScalarRefused(
        DType.INT64,
        zeros(2),
        "the parameter x: expected a Long for int64, but got float32[2] on cpu:0");
  }

  @Test
  void anExtentThatNothingDefinesIsAnErrorOfTheKernel() {
    PrimFunc function = kernel(new Seq(List.of()), floats("A", Exprs.mul(n, 2)));
    assertThatThrownBy(() -> new Evaluator().run(function, List.of(zeros(4))))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            "the variable n has no value; it must be a parameter, stand alone as an extent, stride"
                + " or offset of a parameter, or be defined around its use\n  at kernel f");
  }

  private static void assertScalarRefused(DType dtype, Object value, String message) {
    Var x = new Var("x", dtype);
    PrimFunc function = kernel(dtype, new Return(x), new Param.OfScalar(x));
    assertThatThrownBy(() -> new Evaluator().run(function, List.of(value)))
        .isInstanceOf(CallException.class)
        .hasMessage(message + "\n  at kernel f");
  }

  private static void assertRefused(String message, List<?> args, Buffer... buffers) {
    PrimFunc function = kernel(new Seq(List.of()), buffers);
    assertThatThrownBy(() -> new Evaluator().run(function, args))
        .isInstanceOf(CallException.class)
        .hasMessage(message);
  }

  private static long value(PrimExpr value, List<?> args, Buffer... buffers) {
    Param[] params = Arrays.stream(buffers).map(Param.OfBuffer::new).toArray(Param[]::new);
    PrimFunc function = kernel(DType.INT64, new Return(value), params);
    return (Long) new Evaluator().run(function, args).orElseThrow();
  }

  private static Buffer buffer(List<PrimExpr> shape, List<PrimExpr> strides, PrimExpr offset) {
    return new Buffer("S", DType.FLOAT32, shape, strides, offset, MemoryScope.GLOBAL);
  }

  private static Tensor zeros(long... dims) {
    return Tensor.zeros(DType.FLOAT32, Shape.of(dims));
  }
}
