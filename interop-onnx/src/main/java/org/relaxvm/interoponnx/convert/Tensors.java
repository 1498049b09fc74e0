package org.relaxvm.interoponnx.convert;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.op.core.ValueOps;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.interoponnx.value.Element;
import org.relaxvm.interoponnx.value.Known;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

/** Operands as expressions: constants, shapes, extents, broadcasting. Not thread-safe. */
final class Tensors {
  /** Of the extents, sizes or axes of one operand: each one becomes a symbol. */
  private static final int MOST_RUN_TIME_NUMBERS = 1024;

  private final ModelContext model;
  private final GraphImporter importer;
  private final LowBits lowBits;

  Tensors(ModelContext model, GraphImporter importer) {
    this.model = model;
    this.importer = importer;
    this.lowBits = new LowBits(this, importer);
  }

  /** Tensors of dtypes that kernels do not compute with. */
  LowBits lowBits() {
    return lowBits;
  }

  /** A leaf of a tensor type with the value of an operand. */
  Expr leaf(Operand operand) {
    return switch (operand) {
      case Operand.Weight weight -> model.constant(weight);
      case Known known -> expr(known);
      case Operand.Computed(Expr expr, Type type) -> expr;
      case Operand.LowBit lowBit -> lowBits.packed(lowBit);
      case Operand.Maybe(Optional<Operand> value) when value.isPresent() -> leaf(value.get());
      case Operand.Maybe maybe -> throw wrong("an optional value that is absent");
      case Operand.Possible possible -> throw wrong("an optional value");
      case Operand.Strings strings -> throw wrong("a tensor of strings");
      case Operand.Text text -> throw wrong("a tensor of strings");
      case Operand.Sequence sequence -> throw wrong("a sequence");
      case Operand.Listed list -> throw wrong("a sequence");
      case Operand.Mapped map -> throw wrong("a map");
      case Operand.Unavailable unavailable -> throw new Unavailable();
    };
  }

  private static InvalidProgramException wrong(String got) {
    return new InvalidProgramException(
        ErrorKind.TYPE, "an input is " + got + "; expected a tensor of numbers");
  }

  private Expr expr(Known known) {
    if (known.isConstant()) {
      return new Constant(constant(known));
    }
    Expr typed = known.dtype().isFloat() ? quotients(known) : integers(known);
    return known.shape().rank() == 1
        ? typed
        : importer.emit(Ops.reshape(typed, ShapeExpr.of(boxed(known.shape()))), "shape");
  }

  private Expr integers(Known known) {
    Expr vector = vector(known.integers().orElseThrow());
    return known.dtype().equals(DType.INT64)
        ? vector
        : importer.emit(Ops.astype(vector, known.dtype()), "shape");
  }

  private Expr vector(List<PrimExpr> integers) {
    return importer.emit(Call.of(ValueOps.SHAPE_TO_TENSOR, new ShapeExpr(integers)), "shape");
  }

  /** Each element as a quotient, to which numbers that are known are added. */
  private Expr quotients(Known known) {
    List<PrimExpr> numerators = new ArrayList<>();
    List<Element> denominators = new ArrayList<>();
    List<Element> added = new ArrayList<>();
    for (Element element : known.elements()) {
      switch (element) {
        case Element.Ratio(PrimExpr numerator, long denominator) -> {
          numerators.add(numerator);
          denominators.add(new Element.Real(denominator));
          added.add(new Element.Real(0));
        }
        case Element.Int(PrimExpr value) -> {
          numerators.add(value);
          denominators.add(new Element.Real(1));
          added.add(new Element.Real(0));
        }
        case Element.Real number -> {
          numerators.add(IntImm.of(0));
          denominators.add(new Element.Real(1));
          added.add(number);
        }
      }
    }
    Shape shape = Shape.of(numerators.size());
    Expr tops = importer.emit(Ops.astype(vector(numerators), known.dtype()), "shape");
    Expr bottoms = new Constant(constant(new Known(known.dtype(), shape, denominators)));
    Expr quotients = importer.emit(Ops.divide(tops, bottoms), "shape");
    return added.stream().allMatch(new Element.Real(0)::equals)
        ? quotients
        : importer.emit(
            Ops.add(quotients, new Constant(constant(new Known(known.dtype(), shape, added)))),
            "shape");
  }

  private static Object[] boxed(Shape shape) {
    return LongStream.of(shape.toArray()).boxed().toArray();
  }

  private static Tensor constant(Known known) {
    if (known.dtype().isFloat()) {
      Tensor doubles = Tensor.of(known.reals().orElseThrow(), known.shape());
      return known.dtype().equals(DType.FLOAT64) ? doubles : floats(known);
    }
    long[] values = known.longs().orElseThrow().stream().mapToLong(Long::longValue).toArray();
    if (known.dtype().equals(DType.INT64)) {
      return Tensor.of(values, known.shape());
    }
    int width = known.dtype().elementByteSize();
    ByteBuffer bytes = ByteBuffer.allocate(values.length * width).order(LITTLE_ENDIAN);
    for (long value : values) {
      switch (width) {
        case 1 -> bytes.put((byte) value);
        case 2 -> bytes.putShort((short) value);
        case 4 -> bytes.putInt((int) value);
        default -> bytes.putLong(value);
      }
    }
    return Tensor.of(bytes.array(), known.dtype(), known.shape());
  }

  private static Tensor floats(Known known) {
    double[] reals = known.reals().orElseThrow();
    float[] values = new float[reals.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) reals[i];
    }
    return Tensor.of(values, known.shape());
  }

  /** The elements of an operand, if they are known. */
  Optional<Known> known(Operand operand) {
    return switch (operand) {
      case Known known -> Optional.of(known);
      case Operand.Weight weight -> model.known(weight);
      case Operand.Maybe(Optional<Operand> value) -> value.flatMap(this::known);
      case Operand.Computed(Expr expr, Type type)
          when expr instanceof Constant constant
              && Known.admits(constant.data().dtype(), constant.data().shape()) ->
          Optional.of(Known.of(constant.data()));
      default -> Optional.empty();
    };
  }

  /** The type of an operand, without reading or computing it; strings have no dtype. */
  TensorType typeOf(Operand operand) {
    return switch (operand) {
      case Operand.Weight(var proto, var where, DType dtype, Shape shape) ->
          TensorType.of(dtype, fixed(shape));
      case Known known -> TensorType.of(known.dtype(), fixed(known.shape()));
      case Operand.Strings(Shape shape, var elements) ->
          TensorType.of(Optional.empty(), fixed(shape));
      case Operand.Text(var expr, List<PrimExpr> dims) -> TensorType.of(Optional.empty(), dims);
      case Operand.LowBit(Expr bytes, DType dtype) -> type(bytes).withDType(Optional.of(dtype));
      default -> type(leaf(operand));
    };
  }

  static List<PrimExpr> fixed(Shape shape) {
    return LongStream.of(shape.toArray()).mapToObj(n -> (PrimExpr) IntImm.of(n)).toList();
  }

  Type anyType(Expr leaf) {
    return leaf.knownType().orElseThrow();
  }

  /** The type of a leaf that is a tensor. */
  TensorType type(Expr leaf) {
    if (anyType(leaf) instanceof TensorType type) {
      return type;
    }
    throw wrong("a value of type " + anyType(leaf));
  }

  /** The extents of a leaf; those that are not known become symbols, bound at run time. */
  List<PrimExpr> dims(Expr leaf) {
    TensorType type = type(leaf);
    Optional<List<PrimExpr>> dims = type.dims();
    if (dims.isPresent()) {
      return dims.get();
    }
    throw new InvalidProgramException(
        ErrorKind.VALUE, "the extents of a value of type " + type + " are unknown");
  }

  /** The value with all extents known: those that are not become symbols, bound at run time. */
  Expr withDims(Expr leaf, String hint) {
    if (!(anyType(leaf) instanceof TensorType type) || !type.hasRank()) {
      return leaf;
    }
    model.checkRank(type.ndim());
    if (type.dims().isPresent()) {
      return leaf;
    }
    List<PrimExpr> dims = new ArrayList<>();
    for (int axis = 0; axis < type.ndim(); axis++) {
      dims.add(model.symbols.symbol(hint + "_" + axis));
    }
    return model.builder.emitMatchCast(leaf, type.withDims(dims), hint);
  }

  /** The integers of an operand that is a shape. */
  List<PrimExpr> extents(Operand operand, NodeContext node) {
    Optional<List<PrimExpr>> known = known(operand).flatMap(Known::integers);
    if (known.isPresent()) {
      return known.get();
    }
    Expr leaf = leaf(operand);
    List<PrimExpr> dims = dims(leaf);
    if (dims.size() > 1 || (dims.size() == 1 && !(dims.getFirst() instanceof IntImm))) {
      throw node.unsupported(
          "a shape that is computed at run time has an unknown number of axes",
          "give the inputs of the model shapes (--shape)");
    }
    long count = dims.isEmpty() ? 1 : ((IntImm) dims.getFirst()).value();
    if (count > MOST_RUN_TIME_NUMBERS) {
      throw node.unsupported(
          count
              + " numbers are computed at run time; expected "
              + MOST_RUN_TIME_NUMBERS
              + " at most",
          "make them constants");
    }
    Expr vector = dims.isEmpty() ? importer.emit(Ops.reshape(leaf, 1), "shape") : leaf;
    Expr wide = importer.emit(Ops.astype(vector, DType.INT64), "shape");
    return RuntimeNumbers.symbols(node, wide, (int) count);
  }

  /** The leaves with extents that broadcast. */
  List<Expr> broadcast(List<Expr> leaves, String hint) {
    int rank = leaves.stream().mapToInt(leaf -> dims(leaf).size()).max().orElse(0);
    @Nullable PrimExpr[] common = new PrimExpr[rank];
    for (Expr leaf : leaves) {
      List<PrimExpr> dims = dims(leaf);
      for (int i = 0; i < dims.size(); i++) {
        int axis = rank - dims.size() + i;
        common[axis] = common(common[axis], dims.get(i));
      }
    }
    List<Expr> result = new ArrayList<>();
    for (Expr leaf : leaves) {
      result.add(aligned(leaf, common, hint));
    }
    return result;
  }

  /**
   * The leaf with extents that it is taken to have, which is checked at run time where it is not
   * sure. Extents that surely differ stay.
   */
  Expr assumed(Expr leaf, List<PrimExpr> dims, String hint) {
    List<PrimExpr> own = dims(leaf);
    List<PrimExpr> wanted = new ArrayList<>();
    boolean isCertain = true;
    for (int axis = 0; axis < own.size(); axis++) {
      PrimExpr extent = own.get(axis);
      PrimExpr other = dims.get(axis);
      boolean stays =
          extent.equals(other)
              || (extent instanceof IntImm && other instanceof IntImm)
              || model.builder.analyzer().canProveEqual(extent, other);
      wanted.add(stays ? extent : other);
      isCertain &= stays;
    }
    return isCertain ? leaf : model.builder.emitMatchCast(leaf, type(leaf).withDims(wanted), hint);
  }

  /**
   * Of two extents the one that the result has: not 1, and rather a number than a symbol, rather a
   * symbol than an expression. The extents of a mask that is cut from a buffer are such.
   */
  static PrimExpr moreCertain(@Nullable PrimExpr a, PrimExpr b) {
    if (a == null || isOne(a)) {
      return b;
    }
    return isOne(b) || a instanceof IntImm || size(a) <= size(b) ? a : b;
  }

  /** Of two extents the one that the result has; one that is 1 or 0 gives way to any other. */
  private PrimExpr common(@Nullable PrimExpr a, PrimExpr b) {
    if (a == null || isOne(a) || isOne(b) || isAtMostOne(a) == isAtMostOne(b)) {
      return moreCertain(a, b);
    }
    return isAtMostOne(a) ? b : a;
  }

  /**
   * Whether an extent that is no constant is 1 at most, such as that of {@code x[:1]}. Where it
   * meets another one in broadcasting, it is taken to be 1.
   */
  boolean isAtMostOne(PrimExpr extent) {
    return !(extent instanceof IntImm)
        && !(extent instanceof Var)
        && model.builder.analyzer().bound(extent).max() <= 1;
  }

  /** The number of operators and leaves. */
  private static int size(PrimExpr extent) {
    return extent.operands().stream().mapToInt(Tensors::size).sum() + 1;
  }

  private static boolean isOne(PrimExpr extent) {
    return extent instanceof IntImm number && number.value() == 1;
  }

  private Expr aligned(Expr leaf, @Nullable PrimExpr[] common, String hint) {
    List<PrimExpr> dims = dims(leaf);
    List<PrimExpr> wanted = new ArrayList<>();
    boolean isCertain = true;
    for (int i = 0; i < dims.size(); i++) {
      PrimExpr extent = dims.get(i);
      PrimExpr other = Objects.requireNonNull(common[common.length - dims.size() + i]);
      boolean fits =
          isOne(extent)
              || extent.equals(other)
              || (extent instanceof IntImm && other instanceof IntImm)
              || model.builder.analyzer().canProveEqual(extent, other);
      wanted.add(fits ? extent : isAtMostOne(extent) ? IntImm.of(1) : other);
      isCertain &= fits;
    }
    return isCertain ? leaf : model.builder.emitMatchCast(leaf, type(leaf).withDims(wanted), hint);
  }

  /** A value of a node that is not supported was used: nothing more is to be said. */
  static final class Unavailable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Unavailable() {
      super("a value of a node that is not supported", null, false, false);
    }
  }
}
