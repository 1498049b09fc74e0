package org.relaxvm.tir.op;

import static org.relaxvm.tir.op.Mistakes.refused;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;

/** Operators of single elements, and those that reduce, order or create tensors. */
class OpMistakesTest {
  private static final IntImm TWO = IntImm.of(2);

  private static String numbers(String op) {
    return op + ": expected a dtype of numbers for a, but it is bool";
  }

  private static String floats(String op) {
    return op + ": expected a float dtype for a, but it is int64";
  }

  @Test
  void elementsHaveDTypesThatOperatorsKnow() {
    refused(m -> UnaryOps.math(m.k, "y", Intrinsic.EXP, m.ints(4)), floats("exp"));
    refused(
        m -> UnaryOps.math(m.k, "y", Intrinsic.ATAN2, m.floats(4)),
        "atan2: is no function of one float that gives a float");
    refused(m -> UnaryOps.abs(m.k, "y", m.bools(4)), numbers("abs"));
    refused(m -> UnaryOps.negative(m.k, "y", m.bools(4)), numbers("negative"));
    refused(m -> UnaryOps.sign(m.k, "y", m.bools(4)), numbers("sign"));
    refused(m -> UnaryOps.square(m.k, "y", m.bools(4)), numbers("square"));
    refused(m -> UnaryOps.round(m.k, "y", m.bools(4)), numbers("round"));
    refused(m -> UnaryOps.clip(m.k, "y", m.bools(4), TWO, TWO), numbers("clip"));
    refused(
        m -> UnaryOps.bitwiseNot(m.k, "y", m.floats(4)),
        "bitwise_not: expected an integer dtype or bool for a, but it is float32");
    refused(m -> ActivationOps.relu(m.k, "y", m.bools(4)), numbers("relu"));
    refused(m -> ActivationOps.gelu(m.k, "y", m.ints(4)), floats("gelu"));
    refused(
        m -> ActivationOps.softplus(m.k, "y", m.floats(4), 0, 1), "softplus: beta must not be 0");
  }

  @Test
  void slopesOfPreluFitTheChannels() {
    refused(m -> ActivationOps.prelu(m.k, "y", m.ints(4), m.ints(4), 0), floats("prelu"));
    refused(
        m -> ActivationOps.prelu(m.k, "y", m.floats(4), m.ints(4), 0),
        "prelu: expected one dtype, but a is float32 and b is int64");
    refused(
        m -> ActivationOps.prelu(m.k, "y", m.floats(4), m.floats(4, 4), 0),
        "prelu: expected b of rank 1, but its rank is 2");
    refused(
        m -> ActivationOps.prelu(m.k, "y", m.floats(4), m.floats(4), 1),
        "prelu: expected an axis of -1 to 0, but got 1");
    refused(
        m -> ActivationOps.prelu(m.k, "y", m.floats(4), m.floats(5), 0),
        "prelu: the extents of axis 0 and b must be equal, but are 4 and 5");
  }

  @Test
  void operandsOfPairsFitEachOther() {
    refused(
        m -> BinaryOps.add(m.k, "y", m.floats(4), m.ints(4)),
        "+: expected one dtype, but a is float32 and b is int64");
    refused(
        m -> BinaryOps.add(m.k, "y", m.floats(4), m.floats(3)),
        "+: cannot broadcast 4 against 3: expected equal extents or the constant 1");
    refused(m -> BinaryOps.add(m.k, "y", m.bools(4), m.bools(4)), numbers("+"));
    refused(m -> BinaryOps.mod(m.k, "y", m.bools(4), m.bools(4)), numbers("truncmod"));
    refused(m -> BinaryOps.power(m.k, "y", m.bools(4), m.bools(4)), numbers("power"));
    refused(m -> BinaryOps.atan2(m.k, "y", m.ints(4), m.ints(4)), floats("atan2"));
    refused(m -> BinaryOps.logAddExp(m.k, "y", m.ints(4), m.ints(4)), floats("log_add_exp"));
    refused(
        m -> BinaryOps.apply(m.k, "y", BinaryOp.AND, m.ints(4), m.ints(4)),
        "and: expected bool for a, but it is int64");
    refused(
        m -> BinaryOps.logicalXor(m.k, "y", m.ints(4), m.ints(4)),
        "logical_xor: expected bool for a, but it is int64");
    refused(
        m -> BinaryOps.bits(m.k, "y", Intrinsic.EXP, m.ints(4), m.ints(4)),
        "exp: is no function of two integers");
    refused(
        m -> BinaryOps.bits(m.k, "y", Intrinsic.BITWISE_AND, m.floats(4), m.floats(4)),
        "bitwise_and: expected an integer dtype for a, but it is float32");
    refused(
        m -> BinaryOps.fusedMultiplyAdd(m.k, "y", m.bools(4), m.bools(4), m.bools(4)),
        numbers("ewise_fma"));
    refused(
        m -> BinaryOps.fusedMultiplyAdd(m.k, "y", m.ints(4), m.floats(4), m.ints(4)),
        "ewise_fma: expected one dtype, but a is int64 and b is float32");
    refused(
        m -> BinaryOps.fusedMultiplyAdd(m.k, "y", m.ints(4), m.ints(4), m.floats(4)),
        "ewise_fma: expected one dtype, but a is int64 and c is float32");
    refused(
        m -> BinaryOps.fusedMultiplyAdd(m.k, "y", m.ints(4), m.ints(4), m.ints(4, 4)),
        "ewise_fma: expected c of rank 1, but its rank is 2");
    refused(
        m -> BinaryOps.fusedMultiplyAdd(m.k, "y", m.ints(4), m.ints(3), m.ints(4)),
        "ewise_fma: the extents of an axis must be equal, but are 4 and 3");
  }

  @Test
  void reductionsHaveAxesAndIndices() {
    refused(m -> ReductionOps.sum(m.k, "y", m.bools(4), null, false), numbers("sum"));
    refused(m -> ReductionOps.mean(m.k, "y", m.ints(4), null, false), floats("mean"));
    refused(m -> ReductionOps.std(m.k, "y", m.ints(4), null, false), floats("std"));
    refused(
        m -> ReductionOps.sum(m.k, "y", m.floats(4, 4), List.of(2), false),
        "sum: expected an axis of -2 to 1, but got 2");
    refused(
        m -> ReductionOps.sum(m.k, "y", m.floats(4, 4), List.of(1, -1), false),
        "sum: the axis -1 is given twice in [1, -1]");
    refused(
        m -> ReductionOps.argmax(m.k, "y", m.bools(4), 0, false, DType.INT64), numbers("argmax"));
    refused(
        m -> ReductionOps.argmin(m.k, "y", m.ints(4), 0, false, DType.INT8),
        "argmin: expected indices of int32 or int64, but got int8");
    refused(
        m -> ScanOps.cumsum(m.k, "y", m.ints(4), 0, DType.BOOL, false),
        "cumsum: expected a dtype of numbers, but got bool");
    refused(
        m -> ScanOps.cumprod(m.k, "y", m.ints(4), 1, DType.INT64, false),
        "cumprod: expected an axis of -1 to 0, but got 1");
  }

  @Test
  void choicesAreDrawnByRows() {
    String op = "multinomial_from_uniform";
    refused(
        m ->
            ScanOps.multinomialFromUniform(
                m.k, "y", m.ints(2, 4), m.floats(3, 1), m.ints(3, 1), DType.INT64),
        floats(op));
    refused(
        m ->
            ScanOps.multinomialFromUniform(
                m.k, "y", m.floats(2, 4), m.ints(3, 1), m.ints(3, 1), DType.INT64),
        op + ": expected one dtype, but a is float32 and b is int64");
    refused(
        m ->
            ScanOps.multinomialFromUniform(
                m.k, "y", m.floats(2, 4), m.floats(3, 1), m.floats(3, 1), DType.INT64),
        op + ": expected an integer dtype for c, but it is float32");
    refused(
        m ->
            ScanOps.multinomialFromUniform(
                m.k, "y", m.floats(2, 4), m.floats(3), m.ints(3, 1), DType.INT64),
        op + ": expected b of rank 2, but its rank is 1");
  }

  @Test
  void orderingsHaveAxesAndEnoughElements() {
    refused(
        m -> OrderingOps.sort(m.k, "y", m.ints(4), 1, false),
        "sort: expected an axis of -1 to 0, but got 1");
    refused(m -> OrderingOps.sort(m.k, "y", m.bools(4), 0, false), numbers("sort"));
    refused(
        m -> OrderingOps.argsort(m.k, "y", m.ints(4), 2, false, DType.INT64),
        "argsort: expected an axis of -1 to 0, but got 2");
    refused(
        m -> OrderingOps.topk(m.k, "y", m.ints(4), TWO, 1, true, DType.INT64),
        "topk: expected an axis of -1 to 0, but got 1");
    refused(
        m -> OrderingOps.topk(m.k, "y", m.ints(4), IntImm.of(5), 0, true, DType.INT64),
        "topk: asked for 5 elements of 4 along the axis 0");
    refused(
        m -> OrderingOps.median(m.k, "y", m.ints(4), 1, false),
        "median: expected an axis of -1 to 0, but got 1");
  }

  @Test
  void createdTensorsHaveSteps() {
    refused(
        m -> CreationOps.full(m.k, "y", List.of(TWO), m.ints(1), DType.INT64),
        "full: expected a of rank 0, but its rank is 1");
    refused(
        m -> CreationOps.arange(m.k, "y", TWO, TWO, IntImm.of(0), DType.INT64),
        "arange: the step must be a constant that is not 0, but is 0");
    refused(
        m -> CreationOps.arange(m.k, "y", TWO, TWO, m.k.extent("n"), DType.INT64),
        "arange: the step must be a constant that is not 0, but is n");
    refused(
        m -> CreationOps.arange(m.k, "y", TWO, TWO, new FloatImm(DType.FLOAT32, 0), DType.FLOAT32),
        "arange: the step must be a constant that is not 0, but is 0.0");
    refused(
        m -> CreationOps.triu(m.k, "y", m.ints(4), TWO),
        "triu: expected a of rank 2 or more, but its rank is 1");
    refused(
        m -> CreationOps.hammingWindow(m.k, "y", TWO, false, 0.5, 0.5, DType.INT64),
        "hamming_window: expected a float dtype, but got int64");
    refused(
        m -> CreationOps.oneHot(m.k, "y", m.floats(4), TWO, TWO, TWO, 0),
        "one_hot: expected an integer dtype for a, but it is float32");
    refused(
        m -> CreationOps.oneHot(m.k, "y", m.ints(4), TWO, TWO, TWO, 2),
        "one_hot: expected an axis of -2 to 1, but got 2");
  }
}
