package org.relaxvm.tir.te;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.analysis.BlockRegions;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Count;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Reducer;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.IterKind;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;
import org.relaxvm.tir.stmt.Stores;

/**
 * Builds a kernel from tensor expressions. Inputs and scalars become parameters in the order of
 * creation, outputs follow them; other tensors become temporary buffers. The result has one block
 * per tensor and can be scheduled.
 *
 * <pre>{@code
 * KernelBuilder kernel = new KernelBuilder("scale");
 * Var n = kernel.extent("n");
 * TensorExpr a = kernel.input("A", DType.FLOAT32, List.of(n));
 * TensorExpr b = kernel.compute("B", a.shape(), i -> Exprs.mul(a.at(i), new FloatImm(DType.FLOAT32, 2)));
 * PrimFunc scale = kernel.build(b);
 * }</pre>
 *
 * <p>For one kernel; not thread-safe.
 */
public final class KernelBuilder {
  private final String name;
  private final List<Param> params = new ArrayList<>();
  private final List<Buffer> computed = new ArrayList<>();
  private final List<Stmt> stages = new ArrayList<>();
  private final Map<TensorExpr, Map<String, Object>> annotations = new HashMap<>();

  /** A builder of a kernel without parameters. */
  public KernelBuilder(String name) {
    this.name = name;
  }

  /** A symbolic extent, whose value comes from an input that has it as an extent. */
  public Var extent(String extentName) {
    return Var.index(extentName);
  }

  /** Adds a tensor parameter. */
  public TensorExpr input(String tensorName, DType dtype, List<? extends PrimExpr> shape) {
    Buffer buffer = Buffer.of(tensorName, dtype, shape);
    params.add(new Param.OfBuffer(buffer));
    return new TensorExpr.Stored(buffer);
  }

  /** Adds a scalar parameter. */
  public Var scalar(String scalarName, DType dtype) {
    Var var = new Var(scalarName, dtype);
    params.add(new Param.OfScalar(var));
    return var;
  }

  /**
   * A tensor that is defined elementwise.
   *
   * @param element the element at one index per axis; called once
   */
  public TensorExpr compute(
      String tensorName,
      List<? extends PrimExpr> shape,
      Function<List<PrimExpr>, PrimExpr> element) {
    Axes spatial = Axes.of(shape, "i", IterKind.SPATIAL);
    PrimExpr value = element.apply(spatial.points());
    Buffer buffer = output(tensorName, value.dtype(), shape);
    add(tensorName, spatial, Optional.empty(), new BufferStore(buffer, value, spatial.points()));
    return new TensorExpr.Stored(buffer);
  }

  /** The same without a buffer: recomputed at each use. */
  public TensorExpr inlined(
      String tensorName,
      List<? extends PrimExpr> shape,
      Function<List<PrimExpr>, PrimExpr> element) {
    PrimExpr sample = element.apply(Axes.of(shape, "i", IterKind.SPATIAL).points());
    return new TensorExpr.Inlined(tensorName, sample.dtype(), List.copyOf(shape), element);
  }

  /**
   * A tensor whose elements are reductions over a domain.
   *
   * <p>Where the domain may be empty, a separate block initialises the reduction; its name ends
   * with {@code _init}.
   *
   * @param domain the extents of the axes of the reduction
   * @param element the value of an element at a point of the domain
   */
  public TensorExpr reduce(
      String tensorName,
      List<? extends PrimExpr> shape,
      List<? extends PrimExpr> domain,
      Reducer reducer,
      BiFunction<List<PrimExpr>, List<PrimExpr>, PrimExpr> element) {
    return reduceAll(
            List.of(tensorName), shape, domain, reducer, (i, r) -> List.of(element.apply(i, r)))
        .getFirst();
  }

  /** Several tensors of one shape from one reduction, such as the largest value and its index. */
  public List<TensorExpr> reduceAll(
      List<String> tensorNames,
      List<? extends PrimExpr> shape,
      List<? extends PrimExpr> domain,
      Reducer reducer,
      BiFunction<List<PrimExpr>, List<PrimExpr>, List<PrimExpr>> elements) {
    Axes spatial = Axes.of(shape, "i", IterKind.SPATIAL);
    Axes reduction = Axes.of(domain, "k", IterKind.REDUCE);
    List<PrimExpr> values = elements.apply(spatial.points(), reduction.points());
    List<DType> dtypes = values.stream().map(PrimExpr::dtype).toList();
    List<PrimExpr> identity = reducer.identity().apply(dtypes);
    if (values.size() != tensorNames.size() || identity.size() != tensorNames.size()) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "the reduction of the kernel "
              + name
              + " has "
              + Count.of(tensorNames.size(), "name", "names")
              + ", "
              + Count.of(values.size(), "value", "values")
              + " and "
              + Count.of(identity.size(), "value", "values")
              + " to start with: as many of each expected");
    }
    List<Buffer> buffers = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      buffers.add(output(tensorNames.get(i), dtypes.get(i), shape));
    }
    List<PrimExpr> accumulators =
        buffers.stream().map(buffer -> buffer.load(spatial.points())).toList();
    Stmt init = Stores.of(buffers, identity, spatial.points());
    Stmt update =
        Stores.of(buffers, reducer.combine().apply(accumulators, values), spatial.points());
    String blockName = tensorNames.getFirst();
    if (domain.stream().allMatch(KernelBuilder::hasIterations)) {
      add(blockName, spatial.and(reduction), Optional.of(init), update);
    } else {
      // Over nothing there is no first iteration, but the elements are there.
      Axes own = Axes.of(shape, "i", IterKind.SPATIAL);
      Stmt start = Stores.of(buffers, identity, own.points());
      add(blockName + "_init", own, Optional.empty(), start);
      add(blockName, spatial.and(reduction), Optional.empty(), update);
    }
    return buffers.stream().<TensorExpr>map(TensorExpr.Stored::new).toList();
  }

  /**
   * Tensors that statements compute, for what is not elementwise, such as a sort.
   *
   * @param outputs new buffers, created with {@link Buffer#of}
   * @param body writes the outputs, and nothing else
   */
  public List<TensorExpr> statements(String blockName, List<Buffer> outputs, Stmt body) {
    computed.addAll(outputs);
    add(blockName, Axes.none(), Optional.empty(), body);
    return outputs.stream().<TensorExpr>map(TensorExpr.Stored::new).toList();
  }

  /**
   * Tensors that statements compute, at each point of loops independently of the others, so that
   * devices may run the points concurrently.
   *
   * @param outputs new buffers, created with {@link Buffer#of}
   * @param nest a block in its loops: each point writes elements that no other one reads or writes,
   *     and memory that the block allocates is local
   */
  public List<TensorExpr> points(List<Buffer> outputs, Stmt nest) {
    computed.addAll(outputs);
    stages.add(nest);
    return outputs.stream().<TensorExpr>map(TensorExpr.Stored::new).toList();
  }

  /** Attributes, in order, that the kernel gets if this tensor is its only output. */
  public void annotate(TensorExpr onlyOutput, Map<String, ?> attrs) {
    annotations.put(onlyOutput, new LinkedHashMap<>(attrs));
  }

  /** Whether a tensor is a parameter of the kernel. */
  public boolean isInput(TensorExpr tensor) {
    return tensor instanceof TensorExpr.Stored(Buffer buffer)
        && params.contains(new Param.OfBuffer(buffer));
  }

  /**
   * The kernel.
   *
   * @param outputs tensors that this builder computed
   */
  public PrimFunc build(TensorExpr... outputs) {
    List<Param> all = new ArrayList<>(params);
    List<Buffer> temporary = new ArrayList<>(computed);
    for (TensorExpr output : outputs) {
      if (!(output instanceof TensorExpr.Stored(Buffer buffer)) || !temporary.remove(buffer)) {
        throw new InvalidProgramException(
            ErrorKind.VALUE,
            "the kernel "
                + name
                + " cannot give "
                + output.name()
                + ": it must be a tensor that the kernel computes, and be given once");
      }
      all.add(new Param.OfBuffer(buffer));
    }
    Stmt body = Block.root(temporary, Seq.of(stages));
    Map<String, Object> attrs =
        outputs.length == 1 ? annotations.getOrDefault(outputs[0], Map.of()) : Map.of();
    return new PrimFunc(name, all, DType.VOID, body, attrs);
  }

  private static boolean hasIterations(PrimExpr extent) {
    return extent instanceof IntImm known && known.value() > 0;
  }

  private Buffer output(String tensorName, DType dtype, List<? extends PrimExpr> shape) {
    Buffer buffer = Buffer.of(tensorName, dtype, shape);
    computed.add(buffer);
    return buffer;
  }

  private void add(String blockName, Axes axes, Optional<Stmt> init, Stmt body) {
    Block block = BlockRegions.block(blockName, axes.iterVars(), init, body);
    stages.add(axes.loops(block));
  }
}
