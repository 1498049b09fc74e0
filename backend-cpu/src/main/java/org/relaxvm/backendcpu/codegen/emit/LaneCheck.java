package org.relaxvm.backendcpu.codegen.emit;

import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.api.DType;
import org.relaxvm.backendcpu.codegen.emit.LaneTable.Width;
import org.relaxvm.backendcpu.codegen.loops.Affine;
import org.relaxvm.backendcpu.codegen.loops.IndexCheck;
import org.relaxvm.backendcpu.codegen.loops.Names;
import org.relaxvm.backendcpu.codegen.loops.Node;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Call;
import org.relaxvm.tir.expr.Cast;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.Not;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Select;
import org.relaxvm.tir.expr.Var;

/** Finds out whether the iterations of a loop can be lanes of vectors. */
final class LaneCheck {
  private final LaneTable table;
  private final Width width;
  private final Var counter;
  private final Map<BufferLoad, List<IndexCheck>> checks;
  private final Set<Var> varying = Collections.newSetFromMap(new IdentityHashMap<>());
  private final boolean reduction;
  private boolean masked;

  private LaneCheck(
      LaneTable table,
      Width width,
      Var counter,
      Map<BufferLoad, List<IndexCheck>> checks,
      boolean reduction,
      boolean masked) {
    this.table = table;
    this.width = width;
    this.counter = counter;
    this.checks = checks;
    this.reduction = reduction;
    this.masked = masked;
    varying.add(counter);
  }

  /** What vectors a loop can have. */
  record Plan(Width width, boolean maskedTail) {}

  /** The vectors of a loop; none when it has to be scalar code. */
  static Optional<Plan> plan(
      LaneTable table, Node.Loop loop, Map<BufferLoad, List<IndexCheck>> checks) {
    boolean reduction = loop.mode() == Node.Mode.REDUCTION;
    for (Width width : Width.values()) {
      if (new LaneCheck(table, width, loop.counter(), checks, reduction, false).fits(loop.body())) {
        boolean tail =
            table.maskedTails()
                && new LaneCheck(table, width, loop.counter(), checks, reduction, true)
                    .fits(loop.body());
        return Optional.of(new Plan(width, tail));
      }
    }
    return Optional.empty();
  }

  private boolean varies(PrimExpr expr) {
    return (expr instanceof Var var && varying.contains(var))
        || expr.operands().stream().anyMatch(this::varies);
  }

  private boolean fits(Node node) {
    return switch (node) {
      case Node.Store store -> fits(store);
      case Node.Sequence(List<Node> nodes) -> nodes.stream().allMatch(this::fits);
      case Node.Define(Var var, PrimExpr value, Node body) -> {
        boolean lanes = varies(value);
        if (lanes) {
          varying.add(var);
        }
        yield (!lanes || fits(value)) && fits(body);
      }
      case Node.Loop loop ->
          !reduction
              && loop.mode() != Node.Mode.VECTOR
              && loop.mode() != Node.Mode.REDUCTION
              && !varies(loop.min())
              && !varies(loop.extent())
              && fits(loop.body());
      case Node.Branch(PrimExpr condition, Node whenTrue, Optional<Node> whenFalse) -> {
        if (varies(condition) && (reduction || !fits(condition))) {
          yield false;
        }
        boolean before = masked;
        masked |= varies(condition);
        boolean inside = fits(whenTrue) && (whenFalse.isEmpty() || fits(whenFalse.orElseThrow()));
        masked = before;
        yield inside;
      }
      case Node.Allocate allocate -> false;
      case Node.Invoke invoke -> false;
      case Node.Transpose transpose -> false;
      case Node.Apply apply -> false;
      case Node.Result result -> false;
    };
  }

  private boolean fits(Node.Store store) {
    if (!fits(store.value()) || !fitsChecks(store.checks())) {
      return false;
    }
    if (reduction && !varies(store.index())) {
      return Reductions.of(store)
          .filter(
              found -> {
                DType dtype = store.buffer().dtype();
                ClassDesc kind = LaneKind.of(dtype).desc();
                return dtype.bits() != 16
                    && (dtype.isFloat() || dtype.bits() >= 32 || dtype.equals(DType.BOOL))
                    && !usesLoad(found.term(), store)
                    && table.has(width, found.reduceName(dtype), kind)
                    && exists(broadcastName(), scalar(dtype));
              })
          .isPresent();
    }
    ClassDesc kind = LaneKind.of(store.buffer().dtype()).desc();
    String name = "store" + JvmKind.title(store.buffer().dtype()) + suffix();
    return isContiguous(store.index())
        && (masked
            ? exists(name, Calls.SEGMENT, ConstantDescs.CD_long, kind, LaneKind.MASK.desc())
            : exists(name, Calls.SEGMENT, ConstantDescs.CD_long, kind));
  }

  private static boolean usesLoad(PrimExpr expr, Node.Store store) {
    return (expr instanceof BufferLoad load && load.buffer().equals(store.buffer()))
        || expr.operands().stream().anyMatch(operand -> usesLoad(operand, store));
  }

  private boolean fitsChecks(List<IndexCheck> all) {
    return all.stream().noneMatch(check -> varies(check.index()) || varies(check.extent()));
  }

  private boolean isContiguous(PrimExpr index) {
    return Affine.isContiguous(index, counter)
        && Names.variablesOf(index).keySet().stream()
            .allMatch(var -> var.equals(counter) || !varying.contains(var));
  }

  private boolean exists(String name, ClassDesc... args) {
    return table.has(width, name, args);
  }

  private String suffix() {
    return width == Width.HALF ? "Half" : "";
  }

  private String broadcastName() {
    return "broadcast" + suffix();
  }

  private static ClassDesc scalar(DType dtype) {
    return switch (LaneKind.of(dtype)) {
      case FLOAT -> ConstantDescs.CD_float;
      case DOUBLE -> ConstantDescs.CD_double;
      case LONG -> ConstantDescs.CD_long;
      case MASK -> ConstantDescs.CD_boolean;
      case INT -> ConstantDescs.CD_int;
    };
  }

  private boolean fits(PrimExpr expr) {
    if (!varies(expr)) {
      return exists(broadcastName(), scalar(expr.dtype()));
    }
    return switch (expr) {
      case Var var ->
          !var.equals(counter) || (exists("iotaHalf", ConstantDescs.CD_long) && isHalf());
      case Binary(BinaryOp op, PrimExpr a, PrimExpr b) -> {
        ClassDesc kind = LaneKind.of(a.dtype()).desc();
        yield fits(a)
            && fits(b)
            && ((masked && LaneNames.mayFail(op, a.dtype()))
                ? exists(LaneNames.of(op, a.dtype()), kind, kind, LaneKind.MASK.desc())
                : exists(LaneNames.of(op, a.dtype()), kind, kind))
            && (op.kind() != BinaryOp.Kind.ARITHMETIC || narrows(a.dtype()));
      }
      case Not(PrimExpr a) -> fits(a) && exists("not", LaneKind.MASK.desc());
      case Select(PrimExpr condition, PrimExpr a, PrimExpr b) ->
          fits(condition) && fits(a) && fits(b) && selects(a.dtype());
      case Cast cast -> fitsCast(cast);
      case BufferLoad load -> fitsLoad(load);
      case Call call -> fitsCall(call);
      default -> false;
    };
  }

  private boolean isHalf() {
    return width == Width.HALF;
  }

  private boolean narrows(DType dtype) {
    if (dtype.bits() >= 32 || dtype.equals(DType.BOOL)) {
      return true;
    }
    LaneKind kind = LaneKind.of(dtype);
    return exists((kind == LaneKind.INT ? "wrap" : "round") + JvmKind.title(dtype), kind.desc());
  }

  private boolean selects(DType dtype) {
    ClassDesc kind = LaneKind.of(dtype).desc();
    return exists("select", LaneKind.MASK.desc(), kind, kind);
  }

  private boolean fitsCast(Cast cast) {
    PrimExpr value = cast.value();
    if (value.equals(counter) && LaneKind.of(cast.dtype()) == LaneKind.INT) {
      return exists("iota" + suffix(), ConstantDescs.CD_int) && narrows(cast.dtype());
    }
    if (!isHalf() && (value.dtype().bits() == 64 || cast.dtype().bits() == 64)) {
      return false;
    }
    String name = LaneNames.cast(value.dtype(), cast.dtype());
    ClassDesc kind = LaneKind.of(value.dtype()).desc();
    return fits(value) && (exists(name, kind) || exists(name + suffix(), kind));
  }

  private boolean fitsLoad(BufferLoad load) {
    if (!fitsChecks(checks.getOrDefault(load, List.of()))
        || !isContiguous(load.indices().getFirst())) {
      return false;
    }
    String name = "load" + JvmKind.title(load.dtype()) + suffix();
    return masked
        ? exists(name, Calls.SEGMENT, ConstantDescs.CD_long, LaneKind.MASK.desc())
        : exists(name, Calls.SEGMENT, ConstantDescs.CD_long);
  }

  private boolean fitsCall(Call call) {
    List<PrimExpr> args = call.args();
    if (call.op() == Intrinsic.IF_THEN_ELSE) {
      if (!fits(args.get(0)) || !selects(call.dtype())) {
        return false;
      }
      boolean before = masked;
      masked |= varies(args.get(0));
      boolean inside = fits(args.get(1)) && fits(args.get(2)) && !(masked && reads(call));
      masked = before;
      return inside;
    }
    DType dtype = args.getFirst().dtype();
    ClassDesc kind = LaneKind.of(dtype).desc();
    String name = LaneNames.of(call.op(), dtype);
    boolean there =
        LaneNames.needsBits(call.op())
            ? exists(name, kind, kind, ConstantDescs.CD_int)
            : args.size() == 1 ? exists(name, kind) : exists(name, kind, kind);
    return there
        && args.stream().allMatch(this::fits)
        && (call.op().rule() == Intrinsic.Rule.FLOAT_TEST || narrows(dtype));
  }

  /** Whether a side that some lanes do not take reads one element for all, perhaps outside. */
  private boolean reads(Call choice) {
    return choice.args().stream().skip(1).anyMatch(this::readsUniform);
  }

  private boolean readsUniform(PrimExpr expr) {
    if (expr instanceof BufferLoad && !varies(expr)) {
      return true;
    }
    return expr.operands().stream().anyMatch(this::readsUniform);
  }
}
