package org.relaxvm.interoponnx.operator.flow;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.builder.BlockBuilder;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.DataTypeImm;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.If;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.ir.VarBinding;
import org.relaxvm.compiler.op.core.CallOps;
import org.relaxvm.compiler.type.AnyType;
import org.relaxvm.compiler.type.FuncType;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.operator.flow.LoopBody.Iteration;
import org.relaxvm.interoponnx.operator.flow.LoopBody.Results;
import org.relaxvm.interoponnx.value.Known;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.interoponnx.value.ValueType;
import org.relaxvm.interoponnx.value.ValueType.OfTensor;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

/**
 * A loop as a local function that calls itself at its end, which compiled programs turn into a
 * jump. Its parameters are the number of the iteration as a shape, the condition where it may end
 * the loop, the carried values that change, and the rows of the results that are collected.
 */
final class LoopFunction {
  private final NodeContext node;
  private final Loop loop;
  private final BlockBuilder builder;
  private final LoopTypes types;
  private final Var counter;
  private final List<Integer> changing = new ArrayList<>();
  private final List<RelaxVar> params = new ArrayList<>();
  private boolean tests;
  private int firstRows;

  LoopFunction(NodeContext node, Loop loop) {
    this.node = node;
    this.loop = loop;
    this.builder = node.builder();
    this.types = new LoopTypes(node, loop);
    this.counter = node.symbol("i");
  }

  /** The last carried values and the collected results. */
  List<Operand> emit() {
    if (types.settled().isEmpty()) {
      return Collections.nCopies(loop.carried().size() + loop.scans(), new Operand.Unavailable());
    }
    tests = types.endsByCondition() || !Conditions.known(node, loop.condition()).orElse(false);
    if (!tests && loop.trips().isEmpty()) {
      throw node.unsupported("the loop has neither a number of iterations nor a condition", "");
    }
    declareParams();
    List<Expr> first = new ArrayList<>();
    first.add(new ShapeExpr(List.of(IntImm.of(0))));
    if (tests) {
      first.add(Conditions.scalar(node, loop.condition()));
    }
    changing.forEach(i -> first.add(node.packed(loop.carried().get(i))));
    for (int scan = 0; scan < loop.scans(); scan++) {
      PrimExpr capacity = tests ? IntImm.of(0) : trips();
      first.add(packed("relaxvm.rows", List.of(new PrimValue(capacity)), AnyType.ANY));
    }
    RelaxVar self =
        new RelaxVar(
            builder.uniqueName(node.hint() + "_loop"),
            FuncType.of(params.stream().map(RelaxVar::type).toList(), resultType(), true));
    RelaxFunction function =
        LoopTypes.function(
            builder, self.name(), params, Optional.of(resultType()), () -> body(self));
    builder.emitNormalized(new VarBinding(self, function));
    return results(builder.emit(Call.of(self, first, Attrs.NONE), node.hint()));
  }

  private PrimExpr trips() {
    return node.analyzer().simplify(Exprs.max(loop.trips().orElseThrow(), IntImm.of(0)));
  }

  private void declareParams() {
    params.add(new RelaxVar(builder.uniqueName("iteration"), ShapeType.of(List.of(counter))));
    if (tests) {
      params.add(new RelaxVar(builder.uniqueName("condition"), TensorType.of(DType.BOOL)));
    }
    for (int i = 0; i < loop.carried().size(); i++) {
      if (!types.isConstant(i)) {
        changing.add(i);
        params.add(types.param(i));
      }
    }
    firstRows = params.size();
    for (int scan = 0; scan < loop.scans(); scan++) {
      params.add(new RelaxVar(builder.uniqueName("rows"), AnyType.ANY));
    }
  }

  private List<RelaxVar> handedOn() {
    return params.subList(firstRows - changing.size(), params.size());
  }

  private TupleType resultType() {
    List<Type> fields = new ArrayList<>();
    changing.forEach(i -> fields.add(resultType(types.type(i))));
    for (int scan = 0; scan < loop.scans(); scan++) {
      fields.add(AnyType.ANY);
    }
    return new TupleType(fields);
  }

  /** Extents that change are not known of the result. */
  private static Type resultType(ValueType type) {
    if (!(type instanceof OfTensor tensor)) {
      return AnyType.ANY;
    }
    List<Optional<PrimExpr>> dims = tensor.dims().orElseThrow();
    return dims.stream().allMatch(Optional::isPresent)
        ? TensorType.of(tensor.dtype(), dims.stream().map(Optional::orElseThrow).toList())
        : TensorType.ofRank(tensor.dtype(), dims.size());
  }

  // ---------------------------------------------------------------- iterations

  private Expr body(RelaxVar self) {
    Supplier<Expr> step = () -> step(self);
    Supplier<Expr> tested = tests ? () -> choice(params.get(1), step) : step;
    return loop.trips().isEmpty()
        ? tested.get()
        : choice(new PrimValue(Exprs.lt(counter, loop.trips().get())), tested);
  }

  /** What an action gives while a condition holds; else the values as they are. */
  private Expr choice(Expr condition, Supplier<Expr> whileTrue) {
    return builder.emit(
        If.of(
            condition,
            node.sequence(whileTrue),
            node.sequence(() -> new Tuple(List.copyOf(handedOn())))),
        "result");
  }

  private Expr step(RelaxVar self) {
    List<RelaxVar> held = handedOn().subList(0, changing.size());
    Results results =
        loop.body().run(new Iteration(Known.scalar(counter), types.operands(held), ""));
    List<Expr> args = new ArrayList<>();
    args.add(new ShapeExpr(List.of(Exprs.add(counter, 1))));
    if (tests) {
      args.add(Conditions.scalar(node, results.condition()));
    }
    changing.forEach(i -> args.add(node.packed(results.carried().get(i))));
    for (int scan = 0; scan < loop.scans(); scan++) {
      RelaxVar rows = params.get(firstRows + scan);
      args.add(
          packed(
              "relaxvm.rows_append",
              List.of(rows, node.leaf(results.scanned().get(scan))),
              AnyType.ANY));
    }
    return builder.emit(Call.of(self, args, Attrs.NONE), "result");
  }

  private Expr packed(String function, List<? extends Expr> args, Type type) {
    return builder.emit(CallOps.callPurePacked(function, args, type), node.hint());
  }

  // ---------------------------------------------------------------- results

  private List<Operand> results(RelaxVar result) {
    List<Operand> operands = new ArrayList<>();
    for (int i = 0; i < loop.carried().size(); i++) {
      if (types.isConstant(i)) {
        operands.add(loop.carried().get(i));
      } else {
        Expr field = builder.emit(new TupleGetItem(result, changing.indexOf(i)), node.hint());
        operands.add(node.unpacked(field, types.type(i)));
      }
    }
    for (int scan = 0; scan < loop.scans(); scan++) {
      operands.add(collected(result, scan));
    }
    return operands;
  }

  /** The rows as a tensor; extents of parts that are not known are those of the rows. */
  private Operand collected(RelaxVar result, int scan) {
    OfTensor part = (OfTensor) node.common(types.scanType(scan), types.scanType(scan));
    Expr rows = builder.emit(new TupleGetItem(result, changing.size() + scan), node.hint());
    List<Optional<PrimExpr>> dims = new ArrayList<>(part.dims().orElseThrow());
    Expr tensor =
        packed(
            "relaxvm.rows_tensor",
            List.of(rows, new ShapeExpr(types.scanExtents(scan)), new DataTypeImm(part.dtype())),
            TensorType.ofRank(part.dtype(), dims.size() + 1));
    dims.addFirst(tests ? Optional.empty() : Optional.of(trips()));
    return node.unpacked(tensor, new OfTensor(part.dtype(), Optional.of(dims)));
  }
}
