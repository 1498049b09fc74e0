package org.relaxvm.backendsupport.gpu.codegen;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.api.DType;
import org.relaxvm.backendsupport.gpu.ScheduleAnnotations;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.MemoryScope;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.IrVisitor;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.ForKind;
import org.relaxvm.tir.stmt.IfThenElse;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;
import org.relaxvm.tir.stmt.ThreadAxis;

/** Writes the program of a launch in a language of the C family. For one launch. */
final class KernelPrinter {
  private final Dialect dialect;
  private final boolean wide;
  private final Names names;
  private final Expressions expressions;
  private final Map<Buffer, Buffer> origins;
  private final StringBuilder out = new StringBuilder();
  private final List<LaunchSource.Parameter> parameters = new ArrayList<>();
  private final List<KernelHead.Parameter> declarations = new ArrayList<>();
  private final List<SharedArray> shared = new ArrayList<>();
  private final PrimExpr[] workGroups = {IntImm.of(1), IntImm.of(1), IntImm.of(1)};
  private final Barriers barriers;
  private int workGroupSize = 1;
  private int workGroupsAtOnce = 1;
  private int depth = 1;
  private boolean inCopies;

  private KernelPrinter(Dialect dialect, Flat.Launch launch, boolean wide, Helpers helpers) {
    this.dialect = dialect;
    this.wide = wide;
    this.names = new Names(dialect.reserved());
    this.origins = launch.origins();
    this.expressions = new Expressions(dialect, names, helpers, Indices.of(launch.stmt()), wide);
    this.barriers = Barriers.of(launch.stmt());
  }

  /**
   * A kernel.
   *
   * @param name one that nothing else in its program has
   * @param wide whether indices have 64 bits
   * @param helpers gets the functions that the kernel needs
   */
  static LaunchSource print(
      Dialect dialect, String name, Flat.Launch launch, boolean wide, Helpers helpers) {
    return new KernelPrinter(dialect, launch, wide, helpers).print(name, launch.stmt());
  }

  /** The parameters of a kernel that are memory of the device. */
  static int bufferCount(Flat.Launch launch) {
    return Uses.of(launch.stmt()).buffers.size();
  }

  private LaunchSource print(String name, Stmt launch) {
    Uses uses = Uses.of(launch);
    Set<PrimExpr> extents = new HashSet<>();
    uses.buffers.forEach(buffer -> extents.addAll(origin(buffer).shape()));
    for (Buffer buffer : uses.buffers) {
      Buffer origin = origin(buffer);
      parameters.add(new LaunchSource.Parameter.Memory(origin));
      declarations.add(
          new KernelHead.Memory(names.of(buffer), buffer.dtype(), uses.written.contains(buffer)));
      if (!dialect.addressesIncludeOffsets()) {
        parameters.add(new LaunchSource.Parameter.Offset(origin));
        declarations.add(new KernelHead.Number(names.offsetName(buffer), dialect.indexType(wide)));
      }
    }
    for (Var var : uses.variables) {
      boolean index = var.dtype().equals(DType.INT64);
      String type = index ? dialect.indexType(wide) : dialect.type(passed(var.dtype()));
      parameters.add(new LaunchSource.Parameter.Number(var, index));
      declarations.add(new KernelHead.Number(names.of(var), type));
      expressions.markNotNegativeIf(extents.contains(var), var);
    }
    statement(launch);
    String body = out.toString();
    out.setLength(0);
    boolean meets = barriers.global().containsValue(true);
    long sharedBytes = shared.stream().mapToLong(SharedArray::byteSize).sum();
    boolean atLaunch = sharedBytes > dialect.mostSharedBytes();
    List<String> arrays =
        atLaunch
            ? dialect.sharedArraysOfLaunch(shared)
            : shared.stream().map(this::sharedArray).toList();
    out.append(
        dialect.kernel(
            new KernelHead(name, declarations, arrays, workGroupSize, workGroupsAtOnce, meets)));
    out.append(body).append("}\n");
    long launchBytes = atLaunch ? shared.stream().mapToLong(SharedArray::alignedByteSize).sum() : 0;
    return new LaunchSource(
        name,
        out.toString(),
        parameters,
        List.of(workGroups),
        workGroupSize,
        sharedBytes,
        launchBytes);
  }

  private String sharedArray(SharedArray array) {
    return array.stored()
        ? dialect.storedSharedArray(array.name(), array.dtype(), array.size())
        : dialect.sharedArray(array.name(), array.dtype(), array.size());
  }

  private Buffer origin(Buffer flat) {
    return origins.getOrDefault(flat, flat);
  }

  /** Numbers of less than 32 bits are passed as one of 32. */
  private static DType passed(DType dtype) {
    return dtype.isInteger() && dtype.bits() < 32 ? new DType(dtype.code(), 32, 1) : dtype;
  }

  private void line(String text) {
    out.append("  ".repeat(depth)).append(text).append('\n');
  }

  private void block(Runnable inside) {
    depth++;
    inside.run();
    depth--;
    line("}");
  }

  private void statement(Stmt stmt) {
    switch (stmt) {
      case For loop when loop.thread().isPresent() -> bound(loop, loop.thread().get());
      case For loop -> {
        if (!beginsCopy(loop) && !copies(loop)) {
          loop(loop);
        }
      }
      case Seq seq -> statements(seq.statements());
      case IfThenElse choice -> {
        line("if (" + expressions.condition(choice.condition()) + ") {");
        if (choice.whenFalse().isPresent()) {
          depth++;
          statement(choice.whenTrue());
          depth--;
          line("} else {");
          block(() -> statement(choice.whenFalse().get()));
        } else {
          block(() -> statement(choice.whenTrue()));
        }
      }
      case Let let -> {
        boolean index = expressions.isIndex(let.value());
        String type = index ? dialect.indexType(wide) : dialect.type(let.value().dtype());
        String value = index ? expressions.index(let.value()) : expressions.value(let.value());
        if (index && expressions.isNotNegative(let.value())) {
          expressions.markNotNegative(let.var());
        }
        line(constant(type, names.of(let.var()), value));
        statement(let.body());
      }
      case BufferStore store -> {
        if (!beginsCopy(store)) {
          store(store);
        }
      }
      case BlockRealize realize -> block(realize.block());
      default -> throw new IllegalStateException("no statement of a device: " + stmt);
    }
  }

  /** Loads of vectors that follow each other are written together. */
  private void statements(List<Stmt> statements) {
    List<VectorLoad> loads = new ArrayList<>();
    for (Stmt stmt : statements) {
      Optional<VectorCopy> copy =
          stmt instanceof For loop && loop.thread().isEmpty()
              ? VectorCopy.of(loop).filter(found -> found.loads() && !isShared(found.memory()))
              : Optional.empty();
      if (copy.isPresent()) {
        loads.add(load(copy.get()));
        continue;
      }
      dialect.loadVectors(loads).forEach(this::line);
      loads.clear();
      statement(stmt);
    }
    dialect.loadVectors(loads).forEach(this::line);
  }

  private static boolean isShared(Buffer memory) {
    return memory.scope() == MemoryScope.SHARED;
  }

  private VectorLoad load(VectorCopy copy) {
    String index = names.offset(copy.memory()) + expressions.index(copy.first());
    Buffer memory = copy.memory();
    return new VectorLoad(
        memory.dtype(), copy.lanes(), names.of(memory), index, names.of(copy.registers()));
  }

  private void block(Block block) {
    Map<String, Object> annotations = block.annotations();
    boolean stored = Boolean.TRUE.equals(annotations.get(ScheduleAnnotations.STORED));
    block.allocBuffers().forEach(buffer -> declare(buffer, stored));
    if (annotations.get(ScheduleAnnotations.WORK_GROUPS_AT_ONCE) instanceof Long atOnce) {
      workGroupsAtOnce = Math.toIntExact(atOnce);
    }
    if (annotations.get(ScheduleAnnotations.WORK_GROUP_REDUCTION) instanceof String op) {
      workGroupReduction(BinaryOp.valueOf(op), block.body());
    } else if (Boolean.TRUE.equals(annotations.get(ScheduleAnnotations.COPIES))) {
      inCopies = true;
      statement(block.body());
      inCopies = false;
      dialect.endCopies().forEach(this::line);
    } else if (!Boolean.TRUE.equals(annotations.get(ScheduleAnnotations.MATRIX_PRODUCT))
        || !matrixMultiplyAdd(block.body())) {
      statement(block.body());
    }
  }

  private static String constant(String type, String name, String value) {
    return "const " + type + " " + name + " = " + value + ";";
  }

  /** The way of the language if it has one, else the phases. */
  private void workGroupReduction(BinaryOp op, Stmt phases) {
    Uses uses = Uses.of(phases);
    Buffer array = uses.written.iterator().next();
    List<String> lines = List.of();
    if (array.shape().getFirst() instanceof IntImm size && uses.items > 0) {
      int runs = Math.toIntExact(size.value() / uses.items);
      lines = dialect.workGroupReduction(op, array.dtype(), names.of(array), runs, uses.items);
    }
    if (lines.isEmpty()) {
      statement(phases);
    } else {
      line(dialect.barrier(false));
      lines.forEach(this::line);
    }
  }

  private void bound(For loop, ThreadAxis axis) {
    String type = dialect.indexType(wide);
    expressions.markNotNegative(loop.loopVar());
    String name = names.of(loop.loopVar());
    if (axis == ThreadAxis.THREAD_X) {
      if (!(loop.extent() instanceof IntImm items)) {
        throw new IllegalStateException("a phase needs a known number of work-items");
      }
      if (loop.annotations().get(ScheduleAnnotations.COPIES_IN_FLIGHT) instanceof Long inFlight) {
        dialect.awaitCopies(Math.toIntExact(inFlight)).forEach(this::line);
      }
      barriers.before(loop).ifPresent(global -> line(dialect.barrier(global)));
      workGroupSize = Math.max(workGroupSize, (int) items.value());
      line("{");
      block(
          () -> {
            line(constant(type, name, dialect.converted(type, dialect.item())));
            statement(loop.body());
          });
      return;
    }
    int number =
        switch (axis) {
          case BLOCK_X -> 0;
          case BLOCK_Y -> 1;
          case BLOCK_Z -> 2;
          default -> throw new IllegalStateException("no axis of groups: " + axis);
        };
    workGroups[number] = loop.extent();
    String workGroup = dialect.converted(type, dialect.workGroup(number));
    line(constant(type, name, workGroup + first(loop, number)));
    statement(loop.body());
  }

  /** What is added to the number of a work-group, where all may be more than one launch has. */
  private String first(For loop, int axis) {
    long most = dialect.maxWorkGroups(axis);
    long workGroups = new Analyzer().bound(loop.extent()).max();
    // What fits no index of 32 bits is launched with those of 64.
    if ((wide ? workGroups : Math.min(workGroups, Integer.MAX_VALUE)) <= most) {
      return "";
    }
    String name = names.fresh(names.of(loop.loopVar()) + "_first");
    parameters.add(new LaunchSource.Parameter.FirstWorkGroup(axis, most));
    declarations.add(new KernelHead.Number(name, dialect.indexType(wide)));
    return " + " + name;
  }

  private void loop(For loop) {
    boolean index = loop.loopVar().dtype().equals(DType.INT64);
    String type = index ? dialect.indexType(wide) : dialect.type(loop.loopVar().dtype());
    if (expressions.isNotNegative(loop.min())) {
      expressions.markNotNegative(loop.loopVar());
    }
    String min = index ? expressions.index(loop.min()) : expressions.value(loop.min());
    String extent = index ? expressions.index(loop.extent()) : expressions.value(loop.extent());
    boolean zero = loop.min() instanceof IntImm start && start.value() == 0;
    String end = zero ? extent : min + " + " + extent;
    String name = names.of(loop.loopVar());
    boolean writtenOut = loop.kind() == ForKind.UNROLLED || loop.kind() == ForKind.VECTORIZED;
    if (writtenOut && !dialect.unroll().isEmpty()) {
      line(dialect.unroll());
    }
    line("for (%s %s = %s; %s < %s; %s++) {".formatted(type, name, min, name, end, name));
    block(
        () -> {
          if (!Boolean.TRUE.equals(loop.annotations().get(ScheduleAnnotations.CONTRACT))) {
            statement(loop.body());
            return;
          }
          if (!dialect.contraction().isEmpty()) {
            line(dialect.contraction());
          }
          boolean before = expressions.contract(true);
          statement(loop.body());
          expressions.contract(before);
        });
  }

  /** Writes a loop as a copy of a vector, if it is one. */
  private boolean copies(For loop) {
    Optional<VectorCopy> found = VectorCopy.of(loop);
    if (found.isEmpty()) {
      return false;
    }
    VectorCopy copy = found.get();
    VectorLoad vector = load(copy);
    List<String> lines;
    if (isShared(copy.memory())) {
      lines =
          liesAsComputed(copy.memory())
              ? dialect.loadSharedVector(
                  vector.dtype(),
                  vector.lanes(),
                  vector.array(),
                  vector.index(),
                  vector.registers())
              : List.of();
    } else {
      lines =
          copy.loads()
              ? dialect.loadVectors(List.of(vector))
              : dialect.storeVector(
                  vector.dtype(),
                  vector.lanes(),
                  vector.array(),
                  vector.index(),
                  vector.registers());
    }
    lines.forEach(this::line);
    return !lines.isEmpty();
  }

  /** Whether elements of an array of a work-group are values to compute with. */
  private boolean liesAsComputed(Buffer shared) {
    return !expressions.isStored(shared) || hasOneType(shared.dtype());
  }

  private boolean hasOneType(DType dtype) {
    return dialect.type(dtype).equals(dialect.storageType(dtype));
  }

  /** Writes a statement as the begin of a copy to shared memory, if it is one. */
  private boolean beginsCopy(Stmt stmt) {
    Optional<CopyReader.Found> found = inCopies ? CopyReader.of(stmt) : Optional.empty();
    if (found.isEmpty()) {
      return false;
    }
    CopyReader.Found copy = found.get();
    DType dtype = copy.from().dtype();
    if (!expressions.isStored(copy.to()) && !hasOneType(dtype)) {
      return false;
    }
    List<String> lines =
        dialect.beginCopy(
            new SharedMemoryCopy(
                dtype,
                copy.lanes(),
                names.of(copy.to()),
                expressions.index(copy.toIndex()),
                names.of(copy.from()),
                names.offset(copy.from()) + expressions.index(copy.fromIndex()),
                copy.count().map(expressions::index)));
    lines.forEach(this::line);
    return !lines.isEmpty();
  }

  /** Writes loops as a GEMM, if the language has it. */
  private boolean matrixMultiplyAdd(Stmt stmt) {
    Optional<MatrixReader.Found> found = MatrixReader.of(stmt);
    if (found.isEmpty()) {
      return false;
    }
    MatrixReader.Found gemm = found.get();
    List<String> lines =
        dialect.matrixMultiplyAdd(
            new MatrixMultiplyAdd(
                gemm.rows().buffer().dtype(),
                gemm.rowTiles(),
                gemm.columnTiles(),
                names.of(gemm.accumulators()),
                operand(gemm.rows()),
                operand(gemm.columns())));
    lines.forEach(this::line);
    return !lines.isEmpty();
  }

  private MatrixMultiplyAdd.Operand operand(MatrixReader.Side side) {
    return new MatrixMultiplyAdd.Operand(
        names.of(side.buffer()), expressions.index(side.first()), side.along(), side.depth());
  }

  private void store(BufferStore store) {
    Buffer buffer = store.buffer();
    String array = names.of(buffer);
    String index = expressions.index(store.indices().getFirst());
    String value = expressions.value(store.value());
    line(
        expressions.isStored(buffer)
            ? dialect.store(buffer.dtype(), array, names.offset(buffer) + index, value)
            : dialect.element(array, index) + " = " + value + ";");
  }

  private void declare(Buffer buffer, boolean stored) {
    if (!(buffer.shape().getFirst() instanceof IntImm size)) {
      throw new IllegalStateException("an array of unknown size: " + buffer);
    }
    if (buffer.scope() == MemoryScope.SHARED) {
      if (stored) {
        expressions.markStored(buffer);
      }
      shared.add(new SharedArray(names.of(buffer), buffer.dtype(), size.value(), stored));
    } else {
      line(dialect.localArray(names.of(buffer), buffer.dtype(), size.value()));
    }
  }

  /** What a launch uses of what is around it. */
  private static final class Uses extends IrVisitor {
    final Set<Buffer> buffers = new LinkedHashSet<>();
    final Set<Buffer> written = new HashSet<>();
    final Set<Var> variables = new LinkedHashSet<>();
    int items;
    private final Map<Object, Boolean> inside = new IdentityHashMap<>();

    static Uses of(Stmt launch) {
      Uses uses = new Uses();
      uses.visit(launch);
      return uses;
    }

    @Override
    public void visit(Stmt stmt) {
      switch (stmt) {
        case For loop -> {
          inside.put(loop.loopVar(), true);
          if (loop.thread().filter(axis -> axis == ThreadAxis.THREAD_X).isPresent()
              && loop.extent() instanceof IntImm extent) {
            items = (int) extent.value();
          }
        }
        case Let let -> inside.put(let.var(), true);
        case BufferStore store -> {
          use(store.buffer());
          written.add(store.buffer());
        }
        default -> {}
      }
      super.visit(stmt);
    }

    @Override
    public void visit(PrimExpr expr) {
      if (expr instanceof Var var && !inside.containsKey(var)) {
        variables.add(var);
      }
      if (expr instanceof BufferLoad load) {
        use(load.buffer());
      }
      super.visit(expr);
    }

    private void use(Buffer buffer) {
      if (buffer.scope() == MemoryScope.GLOBAL) {
        buffers.add(buffer);
      }
    }
  }

  /** Where work-items of a work-group have to wait for each other. */
  private record Barriers(Map<For, Boolean> global) {
    Optional<Boolean> before(For phase) {
      return Optional.ofNullable(global.get(phase));
    }

    static Barriers of(Stmt launch) {
      return new Barriers(BarrierPlan.of(launch));
    }
  }
}
