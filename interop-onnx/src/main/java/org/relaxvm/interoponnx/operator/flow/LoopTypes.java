package org.relaxvm.interoponnx.operator.flow;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.builder.BlockBuilder;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.operator.flow.LoopBody.Iteration;
import org.relaxvm.interoponnx.operator.flow.LoopBody.Results;
import org.relaxvm.interoponnx.value.Known;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.interoponnx.value.ValueType;
import org.relaxvm.interoponnx.value.ValueType.OfTensor;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

/**
 * The types of the values that the iterations of a loop hand on: those of the initial values,
 * widened until the body gives no other ones. A value that the body returns as it is does not
 * change at all.
 */
final class LoopTypes {
  private static final int MOST_ROUNDS = 64;

  private final NodeContext node;
  private final Loop loop;
  private final List<ValueType> types = new ArrayList<>();
  private final boolean[] isConstant;
  private List<ValueType> scans = List.of();
  private boolean endsByCondition;

  LoopTypes(NodeContext node, Loop loop) {
    this.node = node;
    this.loop = loop;
    this.isConstant = new boolean[loop.carried().size()];
    loop.carried().forEach(each -> types.add(node.changing(node.valueType(each))));
  }

  /** The types when they are found; empty when the body was not translated. */
  Optional<LoopTypes> settled() {
    boolean changed = true;
    for (int round = 0; changed; round++) {
      if (round == MOST_ROUNDS) {
        throw node.unsupported("the types of the carried values of the loop do not settle", "");
      }
      boolean[] assumed = isConstant.clone();
      Optional<Outcome> outcome = node.trial(this::outcome);
      if (outcome.isEmpty()) {
        return Optional.empty();
      }
      changed = widen(outcome.get(), round == 0) || !Arrays.equals(assumed, isConstant);
      scans = outcome.get().scans();
      endsByCondition = outcome.get().endsByCondition();
    }
    return Optional.of(this);
  }

  /** What an iteration gave. */
  private record Outcome(
      List<ValueType> carried, boolean[] isSame, List<ValueType> scans, boolean endsByCondition) {}

  private Optional<Outcome> outcome() {
    List<Outcome> found = new ArrayList<>();
    Var counter = node.symbol("trial");
    List<RelaxVar> params = new ArrayList<>();
    params.add(new RelaxVar("i", ShapeType.of(List.of(counter))));
    for (int i = 0; i < types.size(); i++) {
      if (!isConstant[i]) {
        params.add(param(i));
      }
    }
    function(
        node.builder(),
        "trial",
        params,
        Optional.empty(),
        () -> {
          List<Operand> carried = operands(params.subList(1, params.size()));
          Results results = loop.body().run(new Iteration(Known.scalar(counter), carried, ""));
          if (results.areAvailable()) {
            found.add(outcome(results, carried));
          }
          return Tuple.EMPTY;
        });
    return found.stream().findFirst();
  }

  private Outcome outcome(Results results, List<Operand> carried) {
    boolean[] isSame = new boolean[carried.size()];
    for (int i = 0; i < isSame.length; i++) {
      isSame[i] = results.carried().get(i).equals(carried.get(i));
    }
    return new Outcome(
        results.carried().stream().map(node::valueType).toList(),
        isSame,
        results.scanned().stream().map(node::valueType).toList(),
        !Conditions.known(node, results.condition()).orElse(false));
  }

  private boolean widen(Outcome outcome, boolean isFirst) {
    boolean changed = false;
    for (int i = 0; i < types.size(); i++) {
      isConstant[i] = outcome.isSame()[i] && (isFirst || isConstant[i]);
      if (!isConstant[i]) {
        ValueType wider = wider(i, outcome.carried().get(i));
        changed |= !wider.equals(types.get(i));
        types.set(i, wider);
      }
    }
    return changed;
  }

  private ValueType wider(int i, ValueType next) {
    ValueType wider;
    try {
      wider = node.changing(node.common(types.get(i), node.changing(next)));
    } catch (InvalidProgramException e) {
      throw node.unsupported("carried value " + i + ": " + e.problem(), "");
    }
    if (wider instanceof OfTensor tensor && tensor.dims().isEmpty()) {
      throw node.unsupported(
          "carried value " + i + " has another number of axes after an iteration", "");
    }
    return wider;
  }

  // ---------------------------------------------------------------- what was found

  /** Whether the condition may end the loop. */
  boolean endsByCondition() {
    return endsByCondition;
  }

  /** Whether a carried value is the initial one in all iterations. */
  boolean isConstant(int carried) {
    return isConstant[carried];
  }

  /** The type of a carried value. */
  ValueType type(int carried) {
    return types.get(carried);
  }

  /** The type of a part of a collected result. */
  OfTensor scanType(int scan) {
    if (scans.get(scan) instanceof OfTensor tensor && tensor.dims().isPresent()) {
      return tensor;
    }
    throw node.unsupported(
        "scan output "
            + scan
            + " is no tensor of numbers with a known number of axes in each iteration",
        "");
  }

  /** The extents of a part of a collected result; 0 where they are not known. */
  List<PrimExpr> scanExtents(int scan) {
    OfTensor type = (OfTensor) node.common(scanType(scan), scanType(scan));
    return type.dims().orElseThrow().stream().map(dim -> dim.orElse(IntImm.of(0))).toList();
  }

  /** A parameter for a carried value; extents that change are symbols of their own. */
  RelaxVar param(int carried) {
    Type type = node.variableType(types.get(carried));
    return new RelaxVar(node.builder().uniqueName("carried"), type);
  }

  /**
   * The carried values as an iteration sees them.
   *
   * @param params a parameter for each one that changes
   */
  List<Operand> operands(List<RelaxVar> params) {
    List<Operand> operands = new ArrayList<>();
    int next = 0;
    for (int i = 0; i < types.size(); i++) {
      operands.add(
          isConstant[i] ? loop.carried().get(i) : node.unpacked(params.get(next++), types.get(i)));
    }
    return operands;
  }

  /** Builds a function, which ends also when that fails. */
  static RelaxFunction function(
      BlockBuilder builder,
      String name,
      List<RelaxVar> params,
      Optional<Type> result,
      Supplier<Expr> body) {
    builder.beginFunction(name, params);
    builder.beginBlock(false);
    Expr value;
    try {
      value = body.get();
    } catch (RuntimeException e) {
      builder.endBlock();
      builder.endFunction(params, Tuple.EMPTY, Optional.empty(), true, Attrs.NONE);
      throw e;
    }
    builder.endBlock();
    return builder.endFunction(params, value, result, true, Attrs.NONE);
  }
}
