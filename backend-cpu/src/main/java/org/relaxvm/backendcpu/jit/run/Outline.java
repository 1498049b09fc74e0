package org.relaxvm.backendcpu.jit.run;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.backendcpu.codegen.loops.LoopProgram;
import org.relaxvm.backendcpu.codegen.loops.Node;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.PackedArg;

/**
 * Cuts a kernel into parts that become code, as large as possible, and the steps around them. For
 * one kernel; not thread-safe.
 */
final class Outline {
  /**
   * A word of the block that code writes as an element of a buffer.
   *
   * @param address the offset of the word with the address of the buffer
   * @param variable the offset of the word that is the buffer
   */
  record Slot(int address, int variable) {}

  /**
   * The outline of a kernel.
   *
   * @param buffers the offsets of the addresses of the kernel's buffers
   * @param variables the offsets of the kernel's variables
   * @param allocations how many allocations the steps have
   */
  record Result(
      BlockLayout layout,
      int[] buffers,
      int[] variables,
      List<Slot> slots,
      List<Fragment> parts,
      List<String> functions,
      int allocations,
      Step body) {}

  private record Memory(int allocation, List<Value> shape) {}

  private final LoopProgram program;
  private final FragmentCompiler compiler;
  private final List<Fragment> parts = new ArrayList<>();
  private final List<Slot> slots = new ArrayList<>();
  private final List<String> functions = new ArrayList<>();
  private final Map<Buffer, Memory> allocated = new HashMap<>();
  private BlockLayout layout;

  private Outline(LoopProgram program, FragmentCompiler compiler) {
    this.program = program;
    this.compiler = compiler;
    this.layout = BlockLayout.of(program.buffers(), program.variables());
  }

  /**
   * The outline of a kernel.
   *
   * @throws org.relaxvm.backendcpu.jit.lir.UnsupportedCodeException as the compiler does
   */
  static Result of(LoopProgram program, FragmentCompiler compiler) {
    return new Outline(program, compiler).outline();
  }

  private Result outline() {
    int[] buffers = program.buffers().stream().mapToInt(layout::offset).toArray();
    int[] variables = program.variables().stream().mapToInt(layout::offset).toArray();
    Step body = step(AllocationHoisting.of(program.body()));
    return new Result(
        layout,
        buffers,
        variables,
        List.copyOf(slots),
        List.copyOf(parts),
        List.copyOf(functions),
        allocated.size(),
        body);
  }

  private Step step(Node node) {
    if (isCode(node)) {
      return new Step.Run(part(node, null));
    }
    return switch (node) {
      case Node.Sequence(List<Node> nodes) -> sequence(nodes);
      case Node.Define(Var var, PrimExpr value, Node body) ->
          new Step.Sequence(List.of(assign(var, value), step(body)));
      case Node.Branch(PrimExpr condition, Node whenTrue, Optional<Node> whenFalse) -> {
        List<Step> steps = new ArrayList<>();
        Value chosen = value(condition, steps);
        Step otherwise = whenFalse.map(this::step).orElse(Step.NOTHING);
        steps.add(new Step.Branch(chosen, step(whenTrue), otherwise));
        yield new Step.Sequence(steps);
      }
      case Node.Loop loop -> loop.mode() == Node.Mode.PARALLEL ? parallel(loop) : serial(loop);
      case Node.Allocate allocate -> {
        List<Step> steps = new ArrayList<>();
        allocate(allocate, steps);
        steps.add(step(allocate.body()));
        yield new Step.Sequence(steps);
      }
      case Node.Invoke invoke -> invoke(invoke);
      case Node.Result(PrimExpr value) -> {
        List<Step> steps = new ArrayList<>();
        Value returned = value(value, steps);
        steps.add(new Step.Return(returned, value.dtype()));
        yield new Step.Sequence(steps);
      }
      case Node.Store _, Node.Transpose _, Node.Apply _ ->
          throw new IllegalStateException("is code: " + node);
    };
  }

  /** Whether a statement is code as a whole. */
  private static boolean isCode(Node node) {
    boolean here =
        switch (node) {
          case Node.Loop loop -> loop.mode() != Node.Mode.PARALLEL;
          case Node.Allocate allocate -> allocate.size() instanceof IntImm;
          case Node.Invoke _, Node.Result _ -> false;
          default -> true;
        };
    return here && node.children().stream().allMatch(Outline::isCode);
  }

  private int part(Node node, Node.@Nullable Loop parallel) {
    String name = program.function().name() + "_" + parts.size();
    parts.add(compiler.compile(name, node, parallel, layout, program));
    return parts.size() - 1;
  }

  /** Statements that are code and follow each other become one part. */
  private Step sequence(List<Node> nodes) {
    List<Step> steps = new ArrayList<>();
    List<Node> code = new ArrayList<>();
    for (Node node : nodes) {
      if (isCode(node)) {
        code.add(node);
        continue;
      }
      if (!code.isEmpty()) {
        steps.add(step(Node.sequence(code)));
        code.clear();
      }
      steps.add(step(node));
    }
    if (!code.isEmpty()) {
      steps.add(step(Node.sequence(code)));
    }
    return new Step.Sequence(steps);
  }

  private int define(Var var) {
    layout = layout.with(var);
    return layout.offset(var);
  }

  private Step assign(Var var, PrimExpr value) {
    if (Values.computes(value)) {
      Value computed = Values.of(value, layout);
      return new Step.Assign(define(var), computed);
    }
    int offset = define(var);
    DType dtype = slotType(var.dtype());
    Buffer slot = Buffer.of(var.name(), dtype, List.of(IntImm.of(1)));
    layout = layout.with(slot);
    slots.add(new Slot(layout.offset(slot), offset));
    Node store = new Node.Store(slot, IntImm.of(0), Exprs.cast(dtype, value), List.of());
    return new Step.Run(part(store, null));
  }

  /** The dtype of an element whose bits are the word of a variable. */
  private static DType slotType(DType dtype) {
    if (dtype.isFloat()) {
      return dtype.equals(DType.FLOAT64) ? dtype : DType.FLOAT32;
    }
    return dtype.equals(DType.UINT64) ? dtype : DType.INT64;
  }

  /** The value of an expression; steps that must run before are added to a list. */
  private Value value(PrimExpr expr, List<Step> before) {
    if (Values.computes(expr)) {
      return Values.of(expr, layout);
    }
    Var var = new Var("value", expr.dtype());
    before.add(assign(var, expr));
    return Values.of(var, layout);
  }

  private Step serial(Node.Loop loop) {
    List<Step> steps = new ArrayList<>();
    Value min = value(loop.min(), steps);
    Value extent = value(loop.extent(), steps);
    int counter = define(loop.counter());
    steps.add(new Step.Loop(counter, min, extent, step(loop.body())));
    return new Step.Sequence(steps);
  }

  private Step parallel(Node.Loop loop) {
    List<Step> steps = new ArrayList<>();
    Value min = value(loop.min(), steps);
    Value extent = value(loop.extent(), steps);
    Value grain = value(Work.grain(loop, program), steps);
    List<Step> prologue = new ArrayList<>();
    Node body = loop.body();
    while (body instanceof Node.Allocate allocate && !Work.uses(allocate, loop.counter())) {
      if (allocate.size() instanceof IntImm) {
        break;
      }
      allocate(allocate, prologue);
      body = allocate.body();
    }
    Step.Body run;
    if (isCode(body)) {
      run = new Step.CodeBody(part(body, loop.withBody(body)));
    } else {
      int counter = define(loop.counter());
      run = new Step.StepBody(counter, step(body));
    }
    steps.add(new Step.Parallel(min, extent, grain, new Step.Sequence(prologue), run));
    return new Step.Sequence(steps);
  }

  private void allocate(Node.Allocate allocate, List<Step> steps) {
    Buffer buffer = allocate.buffer();
    Value elements = value(allocate.size(), steps);
    List<Value> shape = new ArrayList<>();
    for (PrimExpr extent : allocate.shape()) {
      shape.add(value(extent, steps));
    }
    int number = allocated.size();
    allocated.put(buffer, new Memory(number, shape));
    layout = layout.with(buffer);
    int bytes = buffer.dtype().elementByteSize();
    steps.add(new Step.Allocate(number, layout.offset(buffer), elements, bytes));
  }

  private Step invoke(Node.Invoke invoke) {
    List<Step> steps = new ArrayList<>();
    List<PackedArgument> args = new ArrayList<>();
    for (PackedArg arg : invoke.args()) {
      args.add(
          switch (arg) {
            case PackedArg.OfText(String text) -> new PackedArgument.OfText(text);
            case PackedArg.OfScalar(PrimExpr value) ->
                new PackedArgument.OfScalar(value(value, steps), value.dtype());
            case PackedArg.OfBuffer(Buffer buffer) -> buffer(buffer);
            case PackedArg.OfHandle _, PackedArg.OfItem _, PackedArg.OfNull _ ->
                throw new IllegalStateException("a kernel has no handles and lists");
          });
    }
    if (!functions.contains(invoke.name())) {
      functions.add(invoke.name());
    }
    steps.add(new Step.Invoke(functions.indexOf(invoke.name()), args));
    return new Step.Sequence(steps);
  }

  private PackedArgument buffer(Buffer buffer) {
    Memory memory = allocated.get(buffer);
    return memory == null
        ? new PackedArgument.OfParameter(program.buffers().indexOf(buffer))
        : new PackedArgument.OfMemory(memory.allocation(), buffer.dtype(), memory.shape());
  }
}
