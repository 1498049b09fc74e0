package org.relaxvm.backendsupport.gpu.gemm;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.relaxvm.api.DType;
import org.relaxvm.backendsupport.gpu.ScheduleAnnotations;
import org.relaxvm.backendsupport.gpu.loops.WorkGroups;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.MemoryScope;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.ForKind;
import org.relaxvm.tir.stmt.IfThenElse;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;
import org.relaxvm.tir.stmt.ThreadAxis;

/**
 * A launch whose work-groups compute all rows of some columns. Work-items load runs of weights into
 * registers and use them for each row; then those that shared the depth of a result put their sums
 * together, in an order that is always the same.
 */
public final class SkinnyGemmLaunch {
  private static final PrimExpr BATCH = IntImm.of(0);

  private final Gemm gemm;
  private final SkinnyGemmShape shape;
  private final Var workGroup = Var.index("column_group");
  private final Buffer parts;
  private final Buffer accumulators;
  private final boolean evenColumns;
  private final boolean knownRows;

  SkinnyGemmLaunch(Gemm gemm, SkinnyGemmShape shape) {
    this.gemm = gemm;
    this.shape = shape;
    this.parts =
        Buffer.of(
            "sum_parts",
            DType.FLOAT32,
            List.of(IntImm.of(shape.accumulators()), IntImm.of(shape.items())),
            MemoryScope.SHARED);
    this.accumulators =
        Buffer.of(
            "sums",
            DType.FLOAT32,
            List.of(IntImm.of(shape.rows()), IntImm.of(shape.each())),
            MemoryScope.LOCAL);
    this.evenColumns = new Analyzer().isMultipleOf(gemm.columns(), shape.columns());
    this.knownRows = gemm.rows() instanceof IntImm;
  }

  /** When there are few rows: always, never, or that depends on a call. */
  public PrimExpr when() {
    return Exprs.lt(gemm.rows(), IntImm.of(SkinnyGemmRule.FEW));
  }

  /** The launch, which must have no work-groups but where {@link #when} holds. */
  public Stmt launch() {
    List<Stmt> phases = new ArrayList<>();
    phases.add(WorkGroups.phase(shape.items(), this::part));
    phases.addAll(tree());
    phases.add(WorkGroups.phase(shape.items(), this::finish));
    return WorkGroups.grid(
        ThreadAxis.BLOCK_X,
        workGroup,
        WorkGroups.parts(gemm.columns(), shape.columns()),
        WorkGroups.memory(List.of(parts), new Seq(phases)));
  }

  /** A work-item's part of all accumulators of its columns. */
  private Stmt part(Var item) {
    Var column = Var.index("column");
    List<Stmt> statements = new ArrayList<>();
    statements.add(
        each(
            (r, c) ->
                new BufferStore(accumulators, Exprs.constant(DType.FLOAT32, 0), List.of(r, c))));
    Var iteration = Var.index("turn");
    PrimExpr part = Exprs.floorDiv(item, shape.beside());
    PrimExpr runs = new Analyzer().simplify(Exprs.floorDiv(gemm.depth(), shape.run()));
    Var number = Var.index("number");
    Var k = Var.index("k");
    Stmt run = new Let(k, Exprs.mul(number, shape.run()), multiply(column, k, shape.run()));
    PrimExpr own = Exprs.add(Exprs.mul(iteration, shape.parts()), part);
    run = new Let(number, own, WorkGroups.guarded(Exprs.lt(number, runs), run));
    statements.add(For.serial(iteration, WorkGroups.parts(runs, shape.parts()), run));
    if (!new Analyzer().isMultipleOf(gemm.depth(), shape.run())) {
      Var last = Var.index("k");
      Stmt tail = WorkGroups.guarded(Exprs.lt(last, gemm.depth()), multiply(column, last, 1));
      statements.add(new Let(last, Exprs.add(Exprs.mul(runs, shape.run()), part), tail));
    }
    statements.add(
        each(
            (r, c) ->
                new BufferStore(
                    parts,
                    accumulators.load(r, c),
                    List.of(Exprs.add(Exprs.mul(r, shape.each()), c), item))));
    PrimExpr first =
        Exprs.add(
            Exprs.mul(workGroup, shape.columns()),
            Exprs.mul(Exprs.floorMod(item, shape.beside()), shape.each()));
    return new Let(column, first, WorkGroups.memory(List.of(accumulators), new Seq(statements)));
  }

  private Stmt each(BiFunction<PrimExpr, PrimExpr, Stmt> body) {
    Var r = Var.index("r");
    Var c = Var.index("c");
    Stmt columns = For.of(ForKind.UNROLLED, c, IntImm.of(shape.each()), body.apply(r, c));
    return For.of(ForKind.UNROLLED, r, IntImm.of(shape.rows()), columns);
  }

  /** Adds the products of a run of the depth to the accumulators. */
  private Stmt multiply(Var column, Var k, int run) {
    int vectors = shape.alongDepth() ? shape.each() : run;
    int lanes = shape.alongDepth() ? run : shape.each();
    List<Buffer> weights = new ArrayList<>();
    List<Stmt> vectorLoads = new ArrayList<>();
    List<Stmt> singleLoads = new ArrayList<>();
    for (int i = 0; i < vectors; i++) {
      int number = i;
      Buffer registers = registers("weights_" + i, weight(column, k).dtype(), lanes);
      weights.add(registers);
      vectorLoads.add(
          load(
              registers,
              ForKind.VECTORIZED,
              lane ->
                  shape.alongDepth()
                      ? weight(inside(Exprs.add(column, number)), Exprs.add(k, lane))
                      : weight(
                          lanes == 1 ? inside(column) : Exprs.add(column, lane),
                          Exprs.add(k, number))));
      singleLoads.add(
          load(
              registers,
              ForKind.UNROLLED,
              lane -> weight(inside(Exprs.add(column, lane)), Exprs.add(k, number))));
    }
    Stmt loads = Seq.of(vectorLoads);
    if (!shape.alongDepth() && lanes > 1 && !evenColumns) {
      PrimExpr whole = Exprs.le(Exprs.add(column, lanes), gemm.columns());
      loads = new IfThenElse(whole, loads, Optional.of(Seq.of(singleLoads)));
    }
    return WorkGroups.memory(weights, new Seq(List.of(loads, rows(weights, k, run))));
  }

  /** A load of registers, one after the other or at once. */
  private static Stmt load(Buffer registers, ForKind kind, Function<PrimExpr, PrimExpr> element) {
    if (registers.shape().getFirst().equals(IntImm.of(1))) {
      PrimExpr first = IntImm.of(0);
      return new BufferStore(registers, element.apply(first), List.of(first));
    }
    Var lane = Var.index("lane");
    Stmt copy = new BufferStore(registers, element.apply(lane), List.of(lane));
    return For.of(kind, lane, registers.shape().getFirst(), copy);
  }

  private static Buffer registers(String name, DType dtype, int lanes) {
    return Buffer.of(name, dtype, List.of(IntImm.of(lanes)), MemoryScope.LOCAL);
  }

  private PrimExpr weight(PrimExpr column, PrimExpr k) {
    return gemm.columnOperand().at(BATCH, column, k);
  }

  /** A column, or the last one instead of one that is not there. */
  private PrimExpr inside(PrimExpr column) {
    return evenColumns ? column : Exprs.min(column, Exprs.sub(gemm.columns(), 1));
  }

  /** What the weights in registers add to the accumulators of each row. */
  private Stmt rows(List<Buffer> weights, Var k, int run) {
    Var r = Var.index("r");
    Function<PrimExpr, PrimExpr> element =
        step -> gemm.rowOperand().at(BATCH, r, Exprs.add(k, step));
    Var at = Var.index("at");
    PrimExpr first = gemm.rowOperand().at(BATCH, r, at);
    boolean isVector = first instanceof BufferLoad && OperandSlots.isStepOne(first, at);
    Buffer values = registers("values", first.dtype(), run);
    List<Stmt> statements = new ArrayList<>();
    statements.add(load(values, isVector ? ForKind.VECTORIZED : ForKind.UNROLLED, element));
    for (int i = 0; i < weights.size(); i++) {
      Var lane = Var.index("lane");
      Buffer vector = weights.get(i);
      PrimExpr number = IntImm.of(i);
      List<PrimExpr> sum = List.of(r, shape.alongDepth() ? number : lane);
      PrimExpr value = values.load(shape.alongDepth() ? lane : number);
      PrimExpr added =
          Exprs.mul(Exprs.cast(DType.FLOAT32, value), Exprs.cast(DType.FLOAT32, vector.load(lane)));
      Stmt update = new BufferStore(accumulators, Exprs.add(accumulators.load(sum), added), sum);
      statements.add(For.of(ForKind.UNROLLED, lane, vector.shape().getFirst(), update));
    }
    Stmt row = WorkGroups.memory(List.of(values), new Seq(statements));
    return new For(
        r,
        IntImm.of(0),
        IntImm.of(shape.rows()),
        ForKind.UNROLLED,
        Optional.empty(),
        isThere(r, row),
        Map.of(ScheduleAnnotations.CONTRACT, true));
  }

  private Stmt isThere(PrimExpr row, Stmt stmt) {
    return knownRows ? stmt : WorkGroups.guarded(Exprs.lt(row, gemm.rows()), stmt);
  }

  /** Half of the parts of each sum take in the other half, until one is left. */
  private List<Stmt> tree() {
    List<Stmt> phases = new ArrayList<>();
    for (int left = shape.items() / 2; left >= shape.beside(); left /= 2) {
      int distance = left;
      phases.add(
          WorkGroups.phase(
              shape.items(),
              item -> {
                Var sum = Var.index("sum");
                PrimExpr other = parts.load(sum, Exprs.add(item, distance));
                List<PrimExpr> to = List.of(sum, item);
                Stmt take = new BufferStore(parts, Exprs.add(parts.load(to), other), to);
                take = For.of(ForKind.UNROLLED, sum, IntImm.of(shape.accumulators()), take);
                return WorkGroups.guarded(Exprs.lt(item, IntImm.of(distance)), take);
              }));
    }
    if (shape.beside() > 1 || phases.isEmpty()) {
      return phases;
    }
    Map<String, String> annotations =
        Map.of(ScheduleAnnotations.WORK_GROUP_REDUCTION, BinaryOp.ADD.name());
    return List.of(WorkGroups.annotated(List.of(), annotations, Seq.of(phases)));
  }

  /** Work-items store the results of the work-group. */
  private Stmt finish(Var item) {
    int results = shape.rows() * shape.columns();
    Var iteration = Var.index("turn");
    Var result = Var.index("i");
    Var row = Var.index("row");
    Var inWorkGroup = Var.index("in_group");
    Var column = Var.index("column");
    PrimExpr sum =
        Exprs.add(Exprs.mul(row, shape.each()), Exprs.floorMod(inWorkGroup, shape.each()));
    PrimExpr value = parts.load(sum, Exprs.floorDiv(inWorkGroup, shape.each()));
    Stmt stmt = isThere(row, gemm.finish().of(BATCH, row, column, value));
    if (!evenColumns) {
      stmt = WorkGroups.guarded(Exprs.lt(column, gemm.columns()), stmt);
    }
    stmt = new Let(column, Exprs.add(Exprs.mul(workGroup, shape.columns()), inWorkGroup), stmt);
    stmt = new Let(inWorkGroup, Exprs.floorMod(result, shape.columns()), stmt);
    stmt = new Let(row, Exprs.floorDiv(result, shape.columns()), stmt);
    stmt = WorkGroups.guarded(Exprs.lt(result, IntImm.of(results)), stmt);
    stmt = new Let(result, Exprs.add(Exprs.mul(iteration, shape.items()), item), stmt);
    return For.serial(iteration, WorkGroups.parts(IntImm.of(results), shape.items()), stmt);
  }
}
