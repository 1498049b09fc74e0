package org.relaxvm.tir.fuse;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Count;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.MemoryScope;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.IrMutator;
import org.relaxvm.tir.rewrite.Renewal;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;

/**
 * Fuses calls of several kernels into one kernel. The result of a call is a temporary buffer of the
 * new kernel unless {@link #build} makes it an output.
 *
 * <pre>{@code
 * KernelFusion fusion = new KernelFusion("fused_add_relu");
 * Buffer x = fusion.input("x", DType.FLOAT32, List.of(n));
 * CallOutput like = CallOutput.fresh(DType.FLOAT32, List.of(n));
 * Buffer sum = fusion.call(add, List.of(x, x), List.of(), List.of(like)).getFirst();
 * Buffer result = fusion.call(relu, List.of(sum), List.of(), List.of(like)).getFirst();
 * PrimFunc fused = fusion.build(List.of(result), List.of());
 * }</pre>
 *
 * <p>Extents and scalars are in terms of variables of the caller. If exactly one of the kernels
 * names a library function that does the same, and its inputs are parameters of the new kernel, so
 * does the new kernel: devices may use the function for that stage. The kernels that are called
 * stay as they are, and the new one shares no variable or buffer with anything.
 *
 * <p>For one kernel; not thread-safe. Source: docs/spec/passes.md, section 6.
 */
public final class KernelFusion {
  private final String name;
  private final List<Param> params = new ArrayList<>();
  private final Set<Buffer> inputs = new LinkedHashSet<>();
  private final Set<Buffer> made = new LinkedHashSet<>();
  private final List<Buffer> memory = new ArrayList<>();
  private final List<Stmt> stages = new ArrayList<>();
  private final List<FusedHint> hints = new ArrayList<>();
  private final UniqueNames bufferNames = new UniqueNames();
  private final UniqueNames blockNames = new UniqueNames();

  /** An empty kernel without parameters. */
  public KernelFusion(String name) {
    this.name = name;
    blockNames.of(Block.ROOT);
  }

  /**
   * Adds a tensor parameter.
   *
   * @param tensorName gets a number as suffix when it is taken, and {@code _} for what an
   *     identifier cannot have
   * @param shape in terms of variables of the caller; those that are an extent alone are bound from
   *     the tensor
   */
  public Buffer input(String tensorName, DType dtype, List<? extends PrimExpr> shape) {
    return input(tensorName, dtype, shape, MemoryScope.GLOBAL);
  }

  /** The same in another memory. */
  public Buffer input(
      String tensorName, DType dtype, List<? extends PrimExpr> shape, MemoryScope scope) {
    Buffer buffer = Buffer.of(bufferNames.of(identifier(tensorName)), dtype, shape, scope);
    params.add(new Param.OfBuffer(buffer));
    inputs.add(buffer);
    return buffer;
  }

  /** Library functions are told of buffers by identifiers. */
  private static String identifier(String wanted) {
    String plain = wanted.replaceAll("[^A-Za-z0-9_]", "_");
    return plain.isEmpty() || Character.isDigit(plain.charAt(0)) ? "_" + plain : plain;
  }

  /** Adds a scalar parameter. */
  public Var scalar(String scalarName, DType dtype) {
    Var var = new Var(scalarName, dtype);
    scalar(var);
    return var;
  }

  /** Adds a scalar parameter that is a variable of the caller. */
  public void scalar(Var var) {
    params.add(new Param.OfScalar(var));
  }

  /** Whether a tensor is a parameter, which cannot be an output too. */
  public boolean isInput(Buffer tensor) {
    return inputs.contains(tensor);
  }

  /**
   * Appends a call of a kernel.
   *
   * @param callee whose body is the block root: its buffers are the tensors and then a buffer for
   *     each output with memory of its own
   * @param tensors of this fusion, in the order of the parameters that are buffers
   * @param scalars in the order of the parameters that are numbers
   * @return a tensor per output; one that is in place is the argument itself
   * @throws InvalidProgramException a {@code ValueError} or {@code TypeError} that names the kernel
   *     when the arguments do not fit it or its body is another
   */
  public List<Buffer> call(
      PrimFunc callee,
      List<Buffer> tensors,
      List<? extends PrimExpr> scalars,
      List<CallOutput> outputs) {
    requireSchedulable(callee);
    PrimFunc own = Renewal.of(callee);
    List<Buffer> expected = own.buffers();
    List<CallOutput.Fresh> fresh = new ArrayList<>();
    for (CallOutput output : outputs) {
      switch (output) {
        case CallOutput.Fresh result -> fresh.add(result);
        case CallOutput.InPlace(int index) -> requireIndex(callee, index, tensors.size());
      }
    }
    requireCounts(own, tensors.size(), fresh.size(), scalars.size());
    SymbolMatch match = new SymbolMatch((kind, problem) -> wrong(kind, callee, problem));
    matchScalars(own, scalars, match);
    Map<Buffer, Buffer> mapped = new LinkedHashMap<>();
    List<Buffer> given = new ArrayList<>();
    for (int i = 0; i < expected.size(); i++) {
      Buffer parameter = expected.get(i);
      Buffer actual;
      if (i < tensors.size()) {
        actual = tensors.get(i);
        requireKnown(callee, actual);
        requireDType(callee, parameter, actual.dtype());
      } else {
        CallOutput.Fresh output = fresh.get(i - tensors.size());
        requireDType(callee, parameter, output.dtype());
        String resultName = bufferNames.of(identifier(parameter.name()) + "_intermediate");
        actual = Buffer.of(resultName, output.dtype(), output.shape(), parameter.scope());
        given.add(actual);
      }
      matchBuffer(callee, parameter, actual, match);
      mapped.put(parameter, actual);
    }
    embed(own, mapped, match.solve());
    made.addAll(given);
    memory.addAll(given);
    FusedHint.of(own, mapped).ifPresent(hints::add);
    List<Buffer> results = new ArrayList<>();
    int next = tensors.size();
    for (CallOutput output : outputs) {
      results.add(
          switch (output) {
            case CallOutput.InPlace(int index) -> tensors.get(index);
            case CallOutput.Fresh result -> mapped.get(expected.get(next));
          });
      next += output instanceof CallOutput.Fresh ? 1 : 0;
    }
    return List.copyOf(results);
  }

  private void embed(PrimFunc callee, Map<Buffer, Buffer> mapped, Map<Var, PrimExpr> symbols) {
    Embedding embedding = new Embedding(mapped, symbols, bufferNames, blockNames);
    Block root = ((BlockRealize) callee.body()).block();
    root.allocBuffers().forEach(buffer -> memory.add(embedding.rewrite(buffer)));
    Stmt body = embedding.rewrite(root.body());
    stages.addAll(body instanceof Seq(List<Stmt> statements) ? statements : List.of(body));
  }

  private static void matchScalars(
      PrimFunc callee, List<? extends PrimExpr> scalars, SymbolMatch match) {
    int next = 0;
    for (Param param : callee.params()) {
      if (param instanceof Param.OfScalar(Var var)) {
        match.add("the scalar " + var, var, scalars.get(next));
        next++;
      }
    }
  }

  private void matchBuffer(PrimFunc callee, Buffer parameter, Buffer actual, SymbolMatch match) {
    if (parameter.rank() != actual.rank()) {
      throw wrong(
          ErrorKind.VALUE,
          callee,
          parameter + " has " + Count.axes(parameter.rank()) + ", but got " + actual.rank());
    }
    List<PrimExpr> steps = Exprs.rowMajorStrides(actual.shape());
    for (int axis = 0; axis < parameter.rank(); axis++) {
      PrimExpr extent = actual.shape().get(axis);
      match.add("extent " + axis + " of " + parameter, parameter.shape().get(axis), extent);
      if (!parameter.strides().isEmpty()) {
        PrimExpr stride = parameter.strides().get(axis);
        match.add("stride " + axis + " of " + parameter, stride, steps.get(axis));
      }
    }
    match.add("the offset of " + parameter, parameter.elemOffset(), IntImm.of(0));
  }

  /**
   * The kernel with the parameters in the order of creation, then the outputs, named {@code
   * p_output0} and so on, then scalars after them.
   *
   * <p>A scalar that is also an extent alone of a tensor in front of it stays a parameter, but the
   * kernel takes the extent.
   *
   * @param outputs that calls gave with memory of their own, each once
   * @param trailing variables of the caller
   * @throws InvalidProgramException a {@code ValueError} for an output that is none
   */
  public PrimFunc build(List<Buffer> outputs, List<Var> trailing) {
    Map<Buffer, Buffer> renamed = new LinkedHashMap<>();
    for (Buffer output : outputs) {
      requireOutput(output, renamed.containsKey(output));
      String outputName = bufferNames.of("p_output" + renamed.size());
      renamed.put(output, Embedding.renamed(output, outputName));
    }
    List<Param> all = new ArrayList<>(params);
    renamed.values().forEach(output -> all.add(new Param.OfBuffer(output)));
    trailing.forEach(var -> all.add(new Param.OfScalar(var)));
    List<Buffer> temporary = new ArrayList<>(memory);
    temporary.removeAll(outputs);
    Stmt body =
        new IrMutator() {
          @Override
          protected Buffer rewriteBuffer(Buffer buffer) {
            return renamed.getOrDefault(buffer, buffer);
          }
        }.rewrite(Block.root(temporary, Seq.of(stages)));
    Map<String, Object> attrs =
        hints.size() == 1 ? hints.getFirst().attrs(inputs, renamed).orElse(Map.of()) : Map.of();
    return Renewal.of(new PrimFunc(name, defined(all), DType.VOID, body, attrs));
  }

  /** Parameters of which each variable is defined once. */
  private static List<Param> defined(List<Param> params) {
    Set<PrimExpr> extents = new HashSet<>();
    List<Param> own = new ArrayList<>();
    for (Param param : params) {
      switch (param) {
        case Param.OfBuffer(Buffer buffer) -> {
          extents.addAll(buffer.shape());
          own.add(param);
        }
        case Param.OfScalar(Var var) ->
            own.add(
                extents.add(var) ? param : new Param.OfScalar(new Var(var.name(), var.dtype())));
        case Param.OfHandle handle -> own.add(handle);
      }
    }
    return own;
  }

  private void requireOutput(Buffer output, boolean twice) {
    if (!made.contains(output) || twice) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "the kernel "
              + name
              + " cannot give "
              + output
              + ": it is "
              + (twice
                  ? "an output already"
                  : isInput(output) ? "an input" : "no tensor of this kernel"));
    }
  }

  private void requireSchedulable(PrimFunc callee) {
    boolean fits =
        callee.returnType().equals(DType.VOID)
            && callee.body() instanceof BlockRealize realize
            && realize.block().name().equals(Block.ROOT)
            && realize.block().iterVars().isEmpty()
            && realize.block().init().isEmpty()
            && realize.predicate().equals(IntImm.of(true));
    if (!fits) {
      throw wrong(
          ErrorKind.VALUE,
          callee,
          "its body must be a block root without axes, and it must return nothing");
    }
  }

  private void requireIndex(PrimFunc callee, int index, int tensors) {
    if (index < 0 || index >= tensors) {
      throw wrong(
          ErrorKind.VALUE,
          callee,
          "an output aliases tensor "
              + index
              + ", but the call has "
              + Count.of(tensors, "tensor", "tensors"));
    }
  }

  private void requireCounts(PrimFunc callee, int tensors, int fresh, int scalars) {
    int buffers = callee.buffers().size();
    int numbers = callee.params().size() - buffers;
    if (buffers != tensors + fresh || numbers != scalars) {
      throw wrong(
          ErrorKind.VALUE,
          callee,
          "it has "
              + Count.of(buffers, "buffer", "buffers")
              + " and "
              + Count.of(numbers, "scalar", "scalars")
              + ", but got "
              + Count.of(tensors, "tensor", "tensors")
              + ", "
              + Count.of(fresh, "output", "outputs")
              + " and "
              + Count.of(scalars, "scalar", "scalars"));
    }
  }

  private void requireKnown(PrimFunc callee, Buffer tensor) {
    if (!inputs.contains(tensor) && !made.contains(tensor)) {
      throw wrong(
          ErrorKind.VALUE,
          callee,
          "its argument " + tensor + " is neither an input nor a result of an earlier call");
    }
  }

  private void requireDType(PrimFunc callee, Buffer parameter, DType actual) {
    if (!parameter.dtype().equals(actual)) {
      throw wrong(
          ErrorKind.TYPE,
          callee,
          parameter + " holds " + parameter.dtype() + ", but got " + actual);
    }
  }

  private InvalidProgramException wrong(ErrorKind kind, PrimFunc callee, String problem) {
    return new InvalidProgramException(
        kind, "the kernel " + callee.name() + " cannot be put into " + name + ": " + problem);
  }
}
