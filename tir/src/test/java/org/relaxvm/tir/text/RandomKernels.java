package org.relaxvm.tir.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.relaxvm.api.DType;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Call;
import org.relaxvm.tir.expr.Cast;
import org.relaxvm.tir.expr.DTypes;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.IntegerMath;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.MemoryScope;
import org.relaxvm.tir.expr.Not;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Select;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.BufferRegion;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.CallPacked;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.ForKind;
import org.relaxvm.tir.stmt.IfThenElse;
import org.relaxvm.tir.stmt.IterKind;
import org.relaxvm.tir.stmt.IterVar;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.PackedArg;
import org.relaxvm.tir.stmt.Range;
import org.relaxvm.tir.stmt.Return;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;
import org.relaxvm.tir.stmt.ThreadAxis;

/**
 * Kernels of every kind of node. Variables and buffers are used with no regard to where they are
 * defined: what can be built must have a text.
 */
final class RandomKernels {
  static final List<DType> DTYPES =
      List.of(
          DType.BOOL,
          DType.INT8,
          DType.INT16,
          DType.INT32,
          DType.INT64,
          DType.UINT8,
          DType.UINT16,
          DType.UINT32,
          DType.UINT64,
          DType.FLOAT16,
          DType.BFLOAT16,
          DType.FLOAT32,
          DType.FLOAT64);
  private static final List<String> NAMES =
      List.of("i", "i", "A", "i_1", "T", "for", "", "a b", "7", "range", "é", "_", "m");

  private final Random random;
  private final List<Var> vars = new ArrayList<>();
  private final List<Buffer> buffers = new ArrayList<>();

  RandomKernels(Random random) {
    this.random = random;
  }

  PrimFunc next() {
    vars.clear();
    buffers.clear();
    List<Param> params = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      params.add(
          random.nextBoolean()
              ? new Param.OfBuffer(newBuffer())
              : new Param.OfScalar(newVar(dtype())));
    }
    DType result = random.nextInt(4) == 0 ? dtype() : DType.VOID;
    Stmt body = stmt(4);
    Map<String, Object> attrs = new LinkedHashMap<>(annotations());
    String name = name();
    if (random.nextBoolean()) {
      attrs.put("global_symbol", random.nextBoolean() ? name : "other");
    }
    return new PrimFunc(name, params, result, body, attrs);
  }

  private <T> T pick(List<T> items) {
    return items.get(random.nextInt(items.size()));
  }

  private <T> T pick(T[] items) {
    return items[random.nextInt(items.length)];
  }

  private String name() {
    return pick(NAMES);
  }

  private DType dtype() {
    return pick(DTYPES);
  }

  private DType integer() {
    DType dtype = dtype();
    return DTypes.isInteger(dtype) ? dtype : DType.INT64;
  }

  private Var newVar(DType dtype) {
    Var var = new Var(name(), dtype);
    vars.add(var);
    return var;
  }

  private Buffer newBuffer() {
    int rank = random.nextInt(4);
    Buffer buffer =
        new Buffer(
            name(),
            dtype(),
            exprs(rank, DType.INT64, 2),
            random.nextInt(4) == 0 ? exprs(rank, DType.INT64, 1) : List.of(),
            random.nextInt(4) == 0 ? expr(DType.INT64, 1) : IntImm.of(0),
            pick(MemoryScope.values()));
    buffers.add(buffer);
    return buffer;
  }

  private Buffer buffer() {
    return buffers.isEmpty() || random.nextInt(8) == 0 ? newBuffer() : pick(buffers);
  }

  private Var var(DType dtype) {
    List<Var> fitting = vars.stream().filter(var -> var.dtype().equals(dtype)).toList();
    return fitting.isEmpty() || random.nextInt(8) == 0 ? newVar(dtype) : pick(fitting);
  }

  private Map<String, Object> annotations() {
    Map<String, Object> annotations = new LinkedHashMap<>();
    for (int i = random.nextInt(6) - 2; i > 0; i--) {
      Object value =
          switch (random.nextInt(4)) {
            case 0 -> name() + "\"\\\n\u2028\ud800";
            case 1 -> random.nextBoolean() ? Long.valueOf(Long.MIN_VALUE) : Long.valueOf(2);
            case 2 -> real();
            default -> random.nextBoolean();
          };
      annotations.put(name() + i, value);
    }
    return annotations;
  }

  private double real() {
    return switch (random.nextInt(9)) {
      case 0 -> Double.NaN;
      case 1 -> Double.POSITIVE_INFINITY;
      case 2 -> Double.NEGATIVE_INFINITY;
      case 3 -> -0.0;
      case 4 -> Double.MIN_VALUE;
      case 5 -> 0x1p53;
      case 6 -> random.nextInt(5);
      case 7 -> random.nextGaussian();
      default -> Double.longBitsToDouble(random.nextLong());
    };
  }

  private List<PrimExpr> exprs(int count, DType dtype, int depth) {
    List<PrimExpr> exprs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      exprs.add(expr(dtype, depth));
    }
    return exprs;
  }

  private PrimExpr constant(DType dtype) {
    if (dtype.isFloat()) {
      return new FloatImm(dtype, real());
    }
    long value = random.nextInt(4) == 0 ? random.nextLong() : random.nextInt(7) - 3;
    return new IntImm(dtype, IntegerMath.wrap(dtype, value));
  }

  private PrimExpr expr(DType dtype, int depth) {
    if (depth <= 0) {
      return random.nextBoolean() ? constant(dtype) : var(dtype);
    }
    int inner = depth - 1;
    return switch (random.nextInt(9)) {
      case 0 -> constant(dtype);
      case 1 -> var(dtype);
      case 2 -> new Cast(dtype, expr(dtype(), inner));
      case 3 -> new Select(expr(DType.BOOL, inner), expr(dtype, inner), expr(dtype, inner));
      case 4 -> load(dtype, inner);
      case 5 -> call(dtype, inner);
      default -> dtype.equals(DType.BOOL) ? logical(inner) : binary(dtype, inner);
    };
  }

  private PrimExpr load(DType dtype, int depth) {
    Buffer buffer = buffer();
    PrimExpr load = new BufferLoad(buffer, exprs(buffer.rank(), DType.INT64, depth));
    return load.dtype().equals(dtype) ? load : new Cast(dtype, load);
  }

  private PrimExpr call(DType dtype, int depth) {
    Intrinsic op = pick(Intrinsic.values());
    boolean fits =
        switch (op.rule()) {
          case FLOAT -> dtype.isFloat();
          case INTEGER -> dtype.isInteger();
          case NUMBER -> !dtype.equals(DType.BOOL);
          case FLOAT_TEST -> dtype.equals(DType.BOOL);
          case CHOICE -> true;
        };
    if (!fits) {
      op = Intrinsic.IF_THEN_ELSE;
    }
    return switch (op.rule()) {
      case FLOAT_TEST -> new Call(op, exprs(1, DType.FLOAT32, depth));
      case CHOICE ->
          new Call(op, List.of(expr(DType.BOOL, depth), expr(dtype, depth), expr(dtype, depth)));
      default -> new Call(op, exprs(op.arity(), dtype, depth));
    };
  }

  private PrimExpr binary(DType dtype, int depth) {
    BinaryOp op = pick(BinaryOp.values());
    return new Binary(
        op.kind() == BinaryOp.Kind.ARITHMETIC ? op : BinaryOp.SUB,
        expr(dtype, depth),
        expr(dtype, depth));
  }

  private PrimExpr logical(int depth) {
    BinaryOp op = pick(BinaryOp.values());
    return switch (op.kind()) {
      case ARITHMETIC -> new Not(expr(DType.BOOL, depth));
      case LOGICAL -> new Binary(op, expr(DType.BOOL, depth), expr(DType.BOOL, depth));
      case COMPARISON -> {
        DType dtype = dtype();
        yield new Binary(op, expr(dtype, depth), expr(dtype, depth));
      }
    };
  }

  private Range range(DType dtype) {
    PrimExpr min = random.nextBoolean() ? constant(dtype) : expr(dtype, 2);
    PrimExpr extent =
        switch (random.nextInt(5)) {
          case 0 -> new Binary(BinaryOp.SUB, expr(dtype, 1), min);
          case 1 -> new Binary(BinaryOp.ADD, min, expr(dtype, 1));
          case 2 -> constant(dtype);
          default -> expr(dtype, 2);
        };
    return new Range(min, extent);
  }

  private Stmt stmt(int depth) {
    int kinds = depth <= 0 ? 4 : 9;
    return switch (random.nextInt(kinds)) {
      case 0, 1 -> {
        Buffer buffer = buffer();
        List<PrimExpr> indices = exprs(buffer.rank(), DType.INT64, 2);
        yield new BufferStore(buffer, expr(buffer.dtype(), 3), indices);
      }
      case 2 -> new CallPacked(name(), arguments());
      case 3 -> new Return(expr(dtype(), 2));
      case 4 -> {
        List<Stmt> statements = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
          statements.add(stmt(depth - 1));
        }
        yield new Seq(statements);
      }
      case 5 ->
          new IfThenElse(
              expr(DType.BOOL, 3),
              stmt(depth - 1),
              random.nextBoolean() ? Optional.of(stmt(depth - 1)) : Optional.empty());
      case 6 -> {
        DType dtype = dtype();
        PrimExpr value = expr(dtype, 2);
        yield new Let(var(dtype), value, stmt(depth - 1));
      }
      case 7 -> loop(depth - 1);
      default -> block(depth - 1);
    };
  }

  private List<PackedArg> arguments() {
    List<PackedArg> args = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      args.add(
          switch (random.nextInt(3)) {
            case 0 -> new PackedArg.OfBuffer(buffer());
            case 1 -> new PackedArg.OfScalar(expr(dtype(), 2));
            default -> new PackedArg.OfText(name());
          });
    }
    return args;
  }

  private Stmt loop(int depth) {
    DType dtype = integer();
    Range range = range(dtype);
    ForKind kind = pick(ForKind.values());
    Optional<ThreadAxis> thread =
        kind == ForKind.THREAD_BINDING ? Optional.of(pick(ThreadAxis.values())) : Optional.empty();
    Var counter = random.nextInt(3) == 0 ? var(dtype) : newVar(dtype);
    return new For(counter, range.min(), range.extent(), kind, thread, stmt(depth), annotations());
  }

  private Stmt block(int depth) {
    List<IterVar> axes = new ArrayList<>();
    List<PrimExpr> values = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      DType dtype = integer();
      values.add(expr(dtype, 1));
      axes.add(
          new IterVar(
              random.nextInt(4) == 0 ? var(dtype) : newVar(dtype),
              range(dtype),
              pick(IterKind.values())));
    }
    List<Buffer> allocated = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      allocated.add(random.nextInt(4) == 0 ? buffer() : newBuffer());
    }
    Block block =
        new Block(
            name(),
            axes,
            regions(),
            regions(),
            allocated,
            random.nextBoolean() ? Optional.of(stmt(depth - 1)) : Optional.empty(),
            stmt(depth),
            annotations());
    PrimExpr predicate = random.nextBoolean() ? IntImm.of(true) : expr(DType.BOOL, 2);
    return new BlockRealize(values, predicate, block);
  }

  private List<BufferRegion> regions() {
    List<BufferRegion> regions = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      Buffer buffer = buffer();
      List<Range> ranges = new ArrayList<>();
      for (int axis = 0; axis < buffer.rank(); axis++) {
        PrimExpr min = expr(DType.INT64, 2);
        ranges.add(random.nextBoolean() ? new Range(min, IntImm.of(1)) : range(DType.INT64));
      }
      regions.add(new BufferRegion(buffer, ranges));
    }
    return regions;
  }
}
