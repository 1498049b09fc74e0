package org.relaxvm.tir.arith;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.tir.expr.Exprs.add;
import static org.relaxvm.tir.expr.Exprs.and;
import static org.relaxvm.tir.expr.Exprs.ceilDiv;
import static org.relaxvm.tir.expr.Exprs.eq;
import static org.relaxvm.tir.expr.Exprs.floorDiv;
import static org.relaxvm.tir.expr.Exprs.floorMod;
import static org.relaxvm.tir.expr.Exprs.le;
import static org.relaxvm.tir.expr.Exprs.lt;
import static org.relaxvm.tir.expr.Exprs.max;
import static org.relaxvm.tir.expr.Exprs.min;
import static org.relaxvm.tir.expr.Exprs.mul;
import static org.relaxvm.tir.expr.Exprs.not;
import static org.relaxvm.tir.expr.Exprs.or;
import static org.relaxvm.tir.expr.Exprs.select;
import static org.relaxvm.tir.expr.Exprs.sub;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.Range;

class AnalyzerTest {
  private final Analyzer analyzer = new Analyzer();
  private final Var n = Var.index("n");
  private final Var m = Var.index("m");
  private final Var i = Var.index("i");
  private final Var j = Var.index("j");

  @Test
  void productsAndQuotientsOfOneNumberCancel() {
    expect(floorDiv(mul(n, 4), 4), n);
    expect(sub(mul(add(n, 1), 8), 8), mul(n, 8));
    expect(floorMod(mul(n, 8), 8), IntImm.of(0));
    expect(add(n, n), mul(n, 2));
  }

  @Test
  void maximumWithZeroGoesOnlyWhereTheOtherIsKnownNotToBeNegative() {
    expect(max(n, IntImm.of(0)), max(n, IntImm.of(0)));
    analyzer.markNonNegative(n);
    expect(max(n, IntImm.of(0)), n);
    expect(min(n, IntImm.of(-1)), IntImm.of(-1));
  }

  @Test
  void proofsDoNotGoThroughVariablesThatAreKnownNotToBeNegative() {
    Workspace work = new Workspace();
    for (int number = 0; number < 100; number++) {
      PrimExpr extent = Var.index("n" + number);
      work.learning.assume(new Binary(BinaryOp.LE, IntImm.of(number % 3), extent));
    }
    assertThat(work.constraints().nonNegative).isEmpty();
    work.learning.assume(new Binary(BinaryOp.LE, n, IntImm.of(5)));
    work.learning.assume(new Binary(BinaryOp.LE, IntImm.of(-5), m));
    work.learning.assume(new Binary(BinaryOp.LE, i, j));
    assertThat(work.constraints().nonNegative).hasSize(3);
  }

  @Test
  void productsAreBoundByWhatIsKnownOfTheirFactors() {
    analyzer.markNonNegative(n);
    analyzer.markNonNegative(m);
    assertThat(analyzer.canProve(Exprs.binary(BinaryOp.LE, IntImm.of(0), mul(n, m)))).isTrue();
    assertThat(analyzer.canProve(Exprs.binary(BinaryOp.LE, n, add(mul(n, 2), mul(m, n))))).isTrue();
    analyzer.bind(n, mul(i, 4));
    assertThat(analyzer.canProve(Exprs.binary(BinaryOp.LE, IntImm.of(0), i))).isTrue();
  }

  @Test
  void equalityIsProvedAndDisprovedAndElseUnknown() {
    assertThat(analyzer.canProveEqual(mul(n, m), mul(m, n))).isTrue();
    assertThat(analyzer.canProveEqual(add(n, 1), n)).isFalse();
    assertThat(analyzer.canProve(Exprs.binary(BinaryOp.NE, add(n, 1), n))).isTrue();
    assertThat(analyzer.canProveEqual(n, m)).isFalse();
    assertThat(analyzer.canProve(Exprs.binary(BinaryOp.NE, n, m))).isFalse();
    assertThat(analyzer.canProveEqual(n, new Var("n", DType.INT32))).isFalse();
  }

  @Test
  void divisionsRoundAsTheirNamesSay() {
    expect(constants(BinaryOp.FLOOR_DIV, -7, 2), IntImm.of(-4));
    expect(constants(BinaryOp.FLOOR_MOD, -7, 2), IntImm.of(1));
    expect(constants(BinaryOp.DIV, -7, 2), IntImm.of(-3));
    expect(constants(BinaryOp.MOD, -7, 2), IntImm.of(-1));
    expect(constants(BinaryOp.FLOOR_DIV, 7, -2), IntImm.of(-4));
    expect(constants(BinaryOp.FLOOR_MOD, 7, -2), IntImm.of(-1));
  }

  @Test
  void truncatingDivisionIsFloorDivisionOfWhatIsNotNegative() {
    PrimExpr quotient = Exprs.binary(BinaryOp.DIV, add(n, 8), IntImm.of(4));
    expect(quotient, quotient);
    analyzer.markNonNegative(n);
    expect(quotient, add(floorDiv(n, 4), 2));
  }

  @Test
  void resultsAreWrittenWithTheConstantLast() {
    expect(add(IntImm.of(1), mul(IntImm.of(4), n)), add(mul(n, 4), 1));
    expect(sub(IntImm.of(3), n), sub(IntImm.of(3), n));
    expect(sub(mul(m, 2), mul(n, 3)), sub(mul(m, 2), mul(n, 3)));
    expect(mul(add(n, 1), add(m, 2)), add(add(add(mul(n, m), mul(n, 2)), m), 2));
  }

  @Test
  void nestedDivisionsBecomeOne() {
    expect(floorDiv(floorDiv(n, 4), 8), floorDiv(n, 32));
    expect(floorDiv(mul(n, m), mul(IntImm.of(3), m)), floorDiv(n, 3));
    expect(floorMod(floorMod(n, 32), 8), floorMod(n, 8));
    expect(floorDiv(floorMod(n, 32), 8), floorMod(floorDiv(n, 8), 4));
    expect(add(mul(floorMod(floorDiv(n, 8), 4), 8), floorMod(n, 8)), floorMod(n, 32));
    expect(sub(n, mul(floorDiv(n, 4), 4)), floorMod(n, 4));
    expect(floorMod(mul(n, 2), 8), mul(floorMod(n, 4), 2));
  }

  @Test
  void quotientAndRemainderOfATileMakeTheIndex() {
    expect(add(mul(floorDiv(i, 4), 4), floorMod(i, 4)), i);
    expect(add(mul(floorDiv(i, m), m), floorMod(i, m)), i);
    loop(i, 8);
    loop(j, 16);
    PrimExpr index = add(mul(i, 16), j);
    expect(floorDiv(index, 16), i);
    expect(floorMod(index, 16), j);
    expect(floorDiv(index, 64), floorDiv(i, 4));
    expect(floorMod(index, 64), add(mul(floorMod(i, 4), 16), j));
  }

  @Test
  void indexOfASymbolicRowLiesInTheArray() {
    analyzer.bind(i, new Range(IntImm.of(0), n));
    analyzer.bind(j, new Range(IntImm.of(0), m));
    assertThat(analyzer.canProve(lt(i, n))).isTrue();
    assertThat(analyzer.canProve(le(IntImm.of(0), i))).isTrue();
    PrimExpr index = add(mul(i, m), j);
    assertThat(analyzer.canProve(lt(index, mul(n, m)))).isTrue();
    assertThat(analyzer.canProve(lt(index, sub(mul(n, m), 1)))).isFalse();
    expect(floorDiv(index, m), i);
    expect(floorMod(index, m), j);
  }

  @Test
  void indexOfATileLiesInTheArray() {
    analyzer.bind(i, new Range(IntImm.of(0), n));
    loop(j, 4);
    PrimExpr index = add(mul(i, 4), j);
    assertThat(analyzer.canProve(lt(index, mul(n, 4)))).isTrue();
    assertThat(analyzer.canProve(lt(add(index, 1), mul(n, 4)))).isFalse();
  }

  @Test
  void predicateOfASplitIsNeededOnlyWhereTheTileDoesNotDivideTheExtent() {
    analyzer.bind(i, new Range(IntImm.of(0), ceilDiv(n, IntImm.of(16))));
    loop(j, 16);
    PrimExpr index = add(mul(i, 16), j);
    PrimExpr predicate = lt(index, n);
    assertThat(analyzer.canProve(predicate)).isFalse();
    assertThat(analyzer.canProve(lt(mul(i, 16), n))).isTrue();
    expect(predicate, predicate);
    try (Analyzer.Scope scope = analyzer.withConstraint(predicate)) {
      assertThat(scope).isNotNull();
      assertThat(analyzer.canProve(lt(add(j, mul(i, 16)), n))).isTrue();
    }
    assertThat(analyzer.canProve(predicate)).isFalse();
    try (Analyzer.Scope scope = analyzer.withConstraint(eq(floorMod(n, 16), IntImm.of(0)))) {
      assertThat(scope).isNotNull();
      assertThat(analyzer.canProve(predicate)).isTrue();
    }
  }

  @Test
  void predicateOfASplitOfAKnownExtent() {
    loop(i, 7);
    loop(j, 16);
    PrimExpr index = add(mul(i, 16), j);
    assertThat(analyzer.canProve(lt(index, IntImm.of(112)))).isTrue();
    expect(lt(index, IntImm.of(100)), lt(index, IntImm.of(100)));
    assertThat(analyzer.bound(index)).isEqualTo(new Interval(0, 111));
  }

  @Test
  void quotientOfAnIndexLiesBelowTheNumberOfTiles() {
    analyzer.bind(i, new Range(IntImm.of(0), mul(n, 4)));
    assertThat(analyzer.canProve(lt(floorDiv(i, 4), n))).isTrue();
    assertThat(analyzer.canProve(lt(floorDiv(i, 4), sub(n, 1)))).isFalse();
  }

  @Test
  void partsOfAnIndexOfAFusedLoopLieInTheirAxes() {
    analyzer.markNonNegative(m);
    analyzer.markNonNegative(n);
    analyzer.bind(i, new Range(IntImm.of(0), mul(m, n)));
    assertThat(analyzer.canProve(lt(floorDiv(i, n), m))).isTrue();
    assertThat(analyzer.canProve(lt(floorMod(i, n), n))).isTrue();
    assertThat(analyzer.canProve(le(IntImm.of(0), floorMod(i, n)))).isTrue();
    assertThat(analyzer.canProve(le(IntImm.of(1), m))).as("else there are no iterations").isTrue();
    assertThat(analyzer.canProve(lt(floorDiv(i, n), sub(m, 1)))).isFalse();
  }

  @Test
  void factorsOfUnknownSignAreNotKnownToBePositive() {
    analyzer.markNonNegative(m);
    analyzer.bind(i, new Range(IntImm.of(0), mul(m, n)));
    assertThat(analyzer.canProve(le(IntImm.of(1), m))).isFalse();
    assertThat(analyzer.canProve(le(IntImm.of(1), n))).isFalse();
  }

  @Test
  void constraintsHoldInTheirScopeOnly() {
    try (Analyzer.Scope outer = analyzer.withConstraint(and(le(n, IntImm.of(8)), lt(m, n)))) {
      assertThat(outer).isNotNull();
      assertThat(analyzer.canProve(lt(m, IntImm.of(8)))).isTrue();
      assertThat(analyzer.bound(n)).isEqualTo(new Interval(Long.MIN_VALUE, 8));
      try (Analyzer.Scope inner = analyzer.withConstraint(le(IntImm.of(8), n))) {
        assertThat(inner).isNotNull();
        expect(add(n, m), add(m, 8));
      }
      expect(add(n, m), add(n, m));
    }
    assertThat(analyzer.bound(n)).isEqualTo(Interval.ALL);
    assertThat(analyzer.canProve(lt(m, n))).isFalse();
  }

  @Test
  void opaqueConditionsHoldWhereTheyAreAssumed() {
    Var flag = new Var("flag", DType.BOOL);
    Var x = new Var("x", DType.FLOAT32);
    PrimExpr condition = and(flag, not(lt(x, new FloatImm(DType.FLOAT32, 1))));
    try (Analyzer.Scope scope = analyzer.withConstraint(condition)) {
      assertThat(scope).isNotNull();
      assertThat(analyzer.canProve(flag)).isTrue();
      expect(lt(x, new FloatImm(DType.FLOAT32, 1)), IntImm.of(false));
      assertThat(analyzer.canProve(le(new FloatImm(DType.FLOAT32, 1), x))).isFalse();
    }
    assertThat(analyzer.canProve(flag)).isFalse();
    try (Analyzer.Scope scope = analyzer.withConstraint(not(or(flag, lt(n, m))))) {
      assertThat(scope).isNotNull();
      assertThat(analyzer.canProve(and(not(flag), le(m, n)))).isTrue();
    }
  }

  @Test
  void choicesGoWhereTheyAreDecided() {
    loop(i, 8);
    expect(select(lt(i, IntImm.of(8)), n, m), n);
    expect(Exprs.ifThenElse(lt(i, IntImm.of(0)), n, m), m);
    expect(select(lt(i, n), add(j, j), mul(j, 2)), mul(j, 2));
    expect(select(lt(i, IntImm.of(4)), min(i, IntImm.of(4)), n), select(lt(i, IntImm.of(4)), i, n));
  }

  @Test
  void loadThatMayBeMadeAnywayStaysInBounds() {
    Buffer buffer = Buffer.of("A", DType.FLOAT32, List.of(IntImm.of(4)));
    PrimExpr safe = buffer.load(min(i, IntImm.of(3)));
    PrimExpr zero = new FloatImm(DType.FLOAT32, 0);
    PrimExpr condition = lt(i, IntImm.of(4));
    expect(select(condition, safe, zero), select(condition, safe, zero));
    expect(
        Exprs.ifThenElse(condition, safe, zero), Exprs.ifThenElse(condition, buffer.load(i), zero));
  }

  @Test
  void indicesInFloatsAreSimplified() {
    Buffer buffer = Buffer.of("A", DType.FLOAT32, List.of(n));
    PrimExpr load = buffer.load(floorDiv(mul(i, 4), 4));
    expect(
        Exprs.call(Intrinsic.EXP, add(load, Exprs.cast(DType.FLOAT32, add(n, n)))),
        Exprs.call(Intrinsic.EXP, add(buffer.load(i), Exprs.cast(DType.FLOAT32, mul(n, 2)))));
    PrimExpr sum = add(buffer.load(i), new FloatImm(DType.FLOAT32, 0));
    expect(sum, sum);
  }

  @Test
  void boundValuesReplaceVariables() {
    analyzer.bind(n, mul(m, 4));
    expect(floorDiv(n, 4), m);
    assertThat(analyzer.isMultipleOf(n, 4)).isTrue();
    analyzer.bind(i, new Range(m, IntImm.of(1)));
    expect(sub(n, mul(i, 4)), IntImm.of(0));
  }

  @Test
  void whatIsKnownOfAVariableIsKnownOfItsValue() {
    loop(i, 8);
    analyzer.bind(i, add(n, m));
    assertThat(analyzer.canProve(lt(add(n, m), IntImm.of(8)))).isTrue();
    assertThat(analyzer.canProve(lt(add(n, m), IntImm.of(7)))).isFalse();
  }

  @Test
  void variableIsNoPartOfItsValue() {
    assertThatThrownBy(() -> analyzer.bind(n, add(n, 1)))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage("the variable n cannot have a value that it is a part of");
    analyzer.bind(n, n);
    expect(n, n);
  }

  @Test
  void whatIsBoundHasTheDTypeOfTheVariable() {
    assertThatThrownBy(() -> analyzer.bind(n, new IntImm(DType.INT32, 1)))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage("the variable n is int64, but what it is bound to is int32");
    assertThatThrownBy(() -> analyzer.canProve(n))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage("a condition must be bool, but is int64");
    assertThatThrownBy(() -> analyzer.withConstraint(n))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage("a condition must be bool, but is int64");
    assertThatThrownBy(() -> analyzer.bound(new FloatImm(DType.FLOAT32, 1)))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage("bounds are of integers and booleans, but got float32");
  }

  @Test
  void divisorsAreFoundThroughSumsAndProducts() {
    assertThat(analyzer.isMultipleOf(add(mul(n, 8), mul(mul(m, 4), 3)), 4)).isTrue();
    assertThat(analyzer.isMultipleOf(add(mul(n, 8), mul(mul(m, 4), 3)), 8)).isFalse();
    assertThat(analyzer.isMultipleOf(n, 1)).isTrue();
    assertThat(analyzer.isMultipleOf(n, -1)).isTrue();
    assertThat(analyzer.isMultipleOf(n, 0)).isFalse();
    assertThat(analyzer.isMultipleOf(sub(n, n), 0)).isTrue();
    assertThat(analyzer.isMultipleOf(new IntImm(DType.UINT8, 4), 2)).isFalse();
    try (Analyzer.Scope scope = analyzer.withConstraint(eq(floorMod(n, 12), IntImm.of(0)))) {
      assertThat(scope).isNotNull();
      assertThat(analyzer.isMultipleOf(n, 4)).isTrue();
      assertThat(analyzer.isMultipleOf(mul(n, 2), 8)).isTrue();
      assertThat(analyzer.isMultipleOf(n, 8)).isFalse();
      expect(mul(floorDiv(n, 4), 4), n);
    }
  }

  @Test
  void coefficientsThatDoNotFitAreNotMade() {
    PrimExpr largest = IntImm.of(Long.MAX_VALUE);
    PrimExpr sum = new Binary(BinaryOp.ADD, largest, IntImm.of(1));
    expect(sum, sum);
    PrimExpr product = mul(mul(n, 1L << 40), 1L << 40);
    expect(product, product);
    PrimExpr quotient = new Binary(BinaryOp.FLOOR_DIV, IntImm.of(Long.MIN_VALUE), IntImm.of(-1));
    expect(quotient, quotient);
    PrimExpr small = new Var("x", DType.INT32);
    PrimExpr narrow = mul(mul(small, 1 << 20), 1 << 20);
    expect(narrow, narrow);
    expect(mul(mul(small, 1 << 20), 4), mul(small, 1 << 22));
    assertThat(analyzer.canProve(lt(add(n, largest), n))).isFalse();
    assertThat(analyzer.bound(largest).hasMax()).isFalse();
    assertThat(analyzer.bound(add(n, largest))).isEqualTo(Interval.ALL);
  }

  @Test
  void integersThatWrapAroundAreLeftAlone() {
    Var x = new Var("x", DType.UINT8);
    PrimExpr quotient = floorDiv(mul(x, 4), 4);
    expect(quotient, quotient);
    PrimExpr order = lt(x, add(x, 1));
    expect(order, order);
    expect(lt(x, new IntImm(DType.UINT8, 0)), IntImm.of(false));
    assertThat(analyzer.bound(x)).isEqualTo(new Interval(0, 255));
    assertThat(analyzer.bound(Exprs.cast(DType.INT64, x))).isEqualTo(new Interval(0, 255));
    assertThat(analyzer.bound(Exprs.cast(DType.INT64, new Var("y", DType.UINT64))))
        .isEqualTo(Interval.ALL);
  }

  @Test
  void divisionByZeroStays() {
    PrimExpr quotient = floorDiv(n, 0);
    expect(quotient, quotient);
    expect(floorDiv(n, sub(m, m)), quotient);
  }

  @Test
  void comparisonsHaveSmallestCoefficients() {
    expect(lt(mul(i, 4), mul(n, 4)), lt(i, n));
    expect(lt(add(mul(i, 4), 3), mul(n, 4)), lt(i, n));
    expect(Exprs.binary(BinaryOp.GT, n, i), lt(i, n));
    expect(eq(mul(i, 4), add(mul(n, 4), 2)), IntImm.of(false));
    expect(not(lt(i, n)), le(n, i));
  }

  private void loop(Var var, long extent) {
    analyzer.bind(var, new Range(IntImm.of(0), IntImm.of(extent)));
  }

  private void expect(PrimExpr expr, PrimExpr simplified) {
    assertThat(analyzer.simplify(expr)).isEqualTo(simplified);
  }

  private static PrimExpr constants(BinaryOp op, long a, long b) {
    return new Binary(op, IntImm.of(a), IntImm.of(b));
  }
}
