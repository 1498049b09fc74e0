package org.relaxvm.vmcore.interp;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallEffects;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.Closure;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.ScalarTag;
import org.relaxvm.api.Value;
import org.relaxvm.api.engine.AnyList;
import org.relaxvm.api.events.CallEvent;
import org.relaxvm.api.events.Events;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.api.spi.Device;
import org.relaxvm.vmcore.capture.Recorder;
import org.relaxvm.vmcore.dataflow.ParallelPolicy;
import org.relaxvm.vmcore.dataflow.Region;
import org.relaxvm.vmcore.dataflow.RegionTable;
import org.relaxvm.vmcore.decode.DecodedFunction;
import org.relaxvm.vmcore.decode.DecodedProgram;
import org.relaxvm.vmcore.decode.Decoder;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.FunctionInfo;
import org.relaxvm.vmcore.executable.FunctionKind;
import org.relaxvm.vmcore.executable.SourceNodes;
import org.relaxvm.vmcore.tier.CodeTable;
import org.relaxvm.vmcore.tier.TierPolicy;

/**
 * A linked program that can be called: from outside, and from functions that it calls. Thread-safe.
 */
public final class Engine {
  private static final @Nullable Object[] NO_VALUES = {};

  private final DecodedProgram program;
  private final AnyList constantList;
  private final AnyList functionList;
  private final @Nullable CodeTable codeTable;
  private final @Nullable RegionTable regionTable;
  private final @Nullable DataflowThreads threads;
  private final DeviceSet devices;
  private final WorkerPool workers;
  private final Function<String, Optional<PackedFunc>> globals;
  private final Map<Object, String> userFunctions;
  private final CallLimits limits;
  private final Attachments attachments = new Attachments();
  private final CallGate gate;
  private final ConcurrentLinkedDeque<Run> idle = new ConcurrentLinkedDeque<>();
  private final LongAdder executedInstructions = new LongAdder();
  private volatile @Nullable CallHook hook;

  /**
   * Decodes a verified program whose names are resolved.
   *
   * @param sourceNodes the nodes of the model that instructions come from, for errors
   * @param pool the constants, placed; the caller keeps them alive while the engine is used
   * @param packed what to call for each table entry that is not bytecode
   * @param globals finds functions by their global name for functions that ask
   * @param userFunctions functions that the user registered, by name
   * @param tiers when functions are compiled
   * @param parallelism how many independent calls run at the same time
   * @param effects what is known of the effects of each table entry
   */
  public Engine(
      Executable executable,
      SourceNodes sourceNodes,
      @Nullable Object[] pool,
      @Nullable PackedFunc[] packed,
      DeviceSet devices,
      WorkerPool workers,
      Function<String, Optional<PackedFunc>> globals,
      Map<String, PackedFunc> userFunctions,
      CallLimits limits,
      TierPolicy tiers,
      ParallelPolicy parallelism,
      CallEffects[] effects) {
    this.devices = devices;
    this.workers = workers;
    this.globals = globals;
    this.userFunctions = new IdentityHashMap<>();
    userFunctions.forEach((name, function) -> this.userFunctions.put(function, name));
    this.limits = limits;
    this.gate = new CallGate(limits.maxNesting());
    this.program =
        new Decoder(executable, pool, packed, functionValues(executable, packed))
            .decode()
            .withSourceNodes(sourceNodes);
    this.regionTable =
        parallelism.workers() > 1 && limits.maxInstructions() == 0
            ? RegionTable.of(program, effects, forDevices(parallelism, devices))
            : null;
    this.threads =
        regionTable == null
            ? null
            : new DataflowThreads(isHostOnly(devices) ? parallelism.workers() : 1);
    this.codeTable =
        tiers.isOn() && limits.maxInstructions() == 0
            ? new CodeTable(
                program,
                tiers,
                function -> regionTable != null && regionTable.mayRunInParallel(function))
            : null;
    this.constantList = AnyList.view(program.pool());
    this.functionList = AnyList.view(program.table());
  }

  private static boolean isHostOnly(DeviceSet devices) {
    return devices.devices().stream().allMatch(Device::isHost);
  }

  private static ParallelPolicy forDevices(ParallelPolicy policy, DeviceSet devices) {
    boolean hasBudget =
        devices.allocators().stream()
            .anyMatch(allocator -> allocator.stats().budgetBytes() != Long.MAX_VALUE);
    ParallelPolicy bounded = hasBudget ? policy.withOrderedAllocations() : policy;
    return isHostOnly(devices) ? bounded : bounded.withStreams();
  }

  /** Ends the threads that execute independent calls. */
  public void closeThreads() {
    if (threads != null) {
      threads.close();
    }
  }

  /** The regions that a run executes in parallel; null where it executes in program order. */
  @Nullable Region @Nullable [] regions(CallScope scope) {
    RegionTable table = regionTable;
    return table != null && hook == null && scope.recorder() == null ? table.regions() : null;
  }

  /**
   * Executes a region on the newest frame of a run.
   *
   * @return see {@link RegionRun#execute}
   */
  int executeRegion(Run run, CallScope scope, Region region, int base, boolean recordsKernels) {
    return RegionRun.execute(
        this, Objects.requireNonNull(threads), run, scope, region, base, recordsKernels);
  }

  /** The state of a thread that helps a call. */
  Run beginHelper(@Nullable WorkerPool kernelWorkers) {
    Run run = acquire();
    run.scope = run.ownScope;
    run.ownScope.begin(limits);
    run.kernelWorkers = kernelWorkers;
    return run;
  }

  /** Waits for the work that a helper submitted, and takes its state back. */
  void endHelper(Run run) {
    run.kernelWorkers = null;
    try {
      run.ownScope.end();
    } finally {
      recycle(run);
    }
  }

  /** The constant pool as compiled functions see it: one list for the life of the engine. */
  AnyList constantList() {
    return constantList;
  }

  /** The function table as compiled functions see it: one list for the life of the engine. */
  AnyList functionList() {
    return functionList;
  }

  private List<Object> functionValues(Executable executable, @Nullable PackedFunc[] packed) {
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < packed.length; i++) {
      FunctionInfo info = executable.functions().get(i);
      PackedFunc function = packed[i];
      if (function == null) {
        function = new BytecodeFunction(this, info.name(), i);
      }
      values.add(info.kind() == FunctionKind.PACKED ? function : Closure.of(info.name(), function));
    }
    return values;
  }

  /**
   * What records the work of calls on a device; the caller closes it.
   *
   * @throws org.relaxvm.api.error.CaptureException when the device's streams record nothing
   */
  public Recorder recorder(int deviceIndex) {
    return Recorder.open(
        devices.devices().get(deviceIndex),
        devices.allocators().get(deviceIndex),
        userFunctions::get);
  }

  /**
   * Does something that the VM's {@linkplain CallGate#close end} waits for, as a call from outside.
   *
   * @param what for the message when the VM is closed
   */
  public <T> T guarded(String what, Supplier<T> work) {
    gate.enter(what);
    try {
      return work.get();
    } finally {
      gate.exit();
    }
  }

  /** The program, decoded. */
  public DecodedProgram program() {
    return program;
  }

  /** Devices, allocators and streams. */
  public DeviceSet devices() {
    return devices;
  }

  /** State that functions keep. */
  public Attachments attachments() {
    return attachments;
  }

  /** Counts the calls under way. */
  public CallGate gate() {
    return gate;
  }

  /** Instructions that all calls which have ended executed. */
  public long executedInstructions() {
    return executedInstructions.sum();
  }

  /** Sets what is told of every call instruction, from the next call on. */
  public void hook(@Nullable CallHook newHook) {
    this.hook = newHook;
  }

  /** What is told of every call instruction of a run that begins now. */
  @Nullable CallHook hook() {
    return KernelRecorder.around(hook);
  }

  /** The compiled code that a run uses; null where all is interpreted. */
  @Nullable CodeTable codeTable(@Nullable CallHook hookOfRun) {
    return hookOfRun == null ? codeTable : null;
  }

  CallLimits limits() {
    return limits;
  }

  WorkerPool workers() {
    return workers;
  }

  Optional<PackedFunc> findFunction(String name) {
    return globals.apply(name);
  }

  /** The value that a reference to a table entry gives: a packed function or a closure. */
  public Object functionValue(int index) {
    return program.functionValue(index);
  }

  /**
   * Calls a packed function or a closure from outside.
   *
   * @param args values of registers, scalars boxed; borrowed
   * @return an independent handle
   */
  public Value call(@Nullable Object callee, @Nullable Object[] args) {
    return call(callee, args, null);
  }

  /**
   * As {@link #call(Object, Object[])}, with the stream and the memory of a recorder. It is waited
   * for the devices except where work was recorded.
   */
  public Value call(@Nullable Object callee, @Nullable Object[] args, @Nullable Recorder recorder) {
    CallResult result = new CallResult();
    try {
      PackedFunc target = callee instanceof PackedFunc function ? function : null;
      @Nullable Object[] bound = NO_VALUES;
      if (callee instanceof Closure closure) {
        target = closure.target();
        bound = closure.bound().toArray();
      }
      if (target instanceof BytecodeFunction function) {
        function.requireOf(this);
        callFromOutside(function.index(), CallArgs.of(args), bound, result, recorder);
      } else {
        callPackedFromOutside(callee, args, result, recorder);
      }
      return result.takeValue();
    } finally {
      result.setNull();
    }
  }

  private void callPackedFromOutside(
      @Nullable Object callee,
      @Nullable Object[] args,
      CallResult result,
      @Nullable Recorder recorder) {
    gate.enter("a packed function");
    try {
      Run run = begin(nameOf(callee), recorder);
      try {
        run.context.invoke(callee, CallArgs.of(run.context, args), result);
      } catch (RuntimeException | Error e) {
        endFailed(run, result, e);
        throw e;
      }
      end(run, result, true);
    } finally {
      gate.exit();
    }
  }

  private static String nameOf(@Nullable Object callee) {
    return callee instanceof Closure closure ? closure.functionName() : "";
  }

  void callFromOutside(int index, CallArgs args, @Nullable Object[] bound, CallResult result) {
    callFromOutside(index, args, bound, result, null);
  }

  private void callFromOutside(
      int index,
      CallArgs args,
      @Nullable Object[] bound,
      CallResult result,
      @Nullable Recorder recorder) {
    String name = program.functionName(index);
    gate.enter("function " + name);
    try {
      Run run = begin(name, recorder);
      try {
        execute(run, index, args, bound, result);
      } catch (RuntimeException | Error e) {
        endFailed(run, result, e);
        throw e;
      }
      end(run, result, true);
    } finally {
      gate.exit();
    }
  }

  void callNested(
      int index, CallArgs args, @Nullable Object[] bound, CallResult result, CallScope scope) {
    gate.nest("function " + program.functionName(index));
    try {
      Run run = acquire();
      run.scope = scope;
      try {
        execute(run, index, args, bound, result);
      } finally {
        recycle(run);
      }
    } finally {
      gate.unnest();
    }
  }

  void callClosure(Closure closure, CallArgs args, CallResult result, RunContext context) {
    @Nullable Object[] bound = closure.bound().toArray();
    if (closure.target() instanceof BytecodeFunction function) {
      function.callWithin(context, args, bound, result);
      return;
    }
    @Nullable Object[] all = new Object[args.count() + bound.length];
    System.arraycopy(args.toArray(), 0, all, 0, args.count());
    System.arraycopy(bound, 0, all, args.count(), bound.length);
    closure.target().call(CallArgs.of(context, all), result);
  }

  private void execute(
      Run run, int index, CallArgs args, @Nullable Object[] bound, CallResult result) {
    DecodedFunction function = program.functions()[index];
    if (function == null) {
      throw new IllegalStateException(program.functionName(index) + " is not bytecode");
    }
    try {
      Arity.check(function, args.count() + bound.length);
      RunStack stack = run.stack;
      stack.push(function, -1, 0);
      for (int i = 0; i < args.count(); i++) {
        stack.init(i, args.ref(i), args.bits(i));
      }
      initBound(stack, args.count(), bound);
      Interpreter.run(this, run, function);
      run.giveReturned(result);
    } catch (RuntimeException | Error e) {
      abandon(run, e);
      throw e;
    }
  }

  /** Releases what a failed run holds; what fails besides is added to its error. */
  private static void abandon(Run run, Throwable error) {
    try {
      run.abandon();
    } catch (RuntimeException | Error e) {
      addTo(error, e);
    }
  }

  private static void addTo(Throwable error, Throwable another) {
    if (!another.equals(error)) {
      error.addSuppressed(another);
    }
  }

  private static void initBound(RunStack stack, int first, @Nullable Object[] bound) {
    for (int i = 0; i < bound.length; i++) {
      Object value = bound[i];
      ScalarTag tag = ScalarTag.of(value);
      stack.init(
          first + i,
          tag != null ? tag : value,
          tag != null && value != null ? tag.bitsOf(value) : 0);
    }
  }

  private Run begin(String function, @Nullable Recorder recorder) {
    Run run = acquire();
    run.scope = run.ownScope;
    run.ownScope.begin(limits);
    run.ownScope.recorder(recorder);
    run.event = Events.areOn() ? CallEvent.start(function) : null;
    return run;
  }

  /** Waits for the devices and takes the run back; the result is dropped unless all went well. */
  private void end(Run run, CallResult result, boolean succeeded) {
    boolean keepResult = false;
    try {
      run.ownScope.end();
      keepResult = succeeded;
    } finally {
      long executed = run.ownScope.executedInstructions();
      CallEvent event = run.event;
      run.event = null;
      recycle(run);
      if (!keepResult) {
        result.setNull();
      }
      executedInstructions.add(executed);
      if (event != null) {
        event.finish(executed, !keepResult);
      }
    }
  }

  /** Ends a call that failed; what fails besides is added to its error. */
  private void endFailed(Run run, CallResult result, Throwable error) {
    try {
      end(run, result, false);
    } catch (RuntimeException | Error e) {
      addTo(error, e);
    }
  }

  private Run acquire() {
    Run run = idle.pollFirst();
    return run != null ? run : new Run(this);
  }

  /** Keeps a run for later calls, or lets it be garbage; never fails. */
  private void recycle(Run run) {
    run.scope = null;
    run.chunk.clear();
    if (run.stack.isReusable()) {
      try {
        idle.addFirst(run);
      } catch (OutOfMemoryError e) {
        run.scope = null; // garbage then: the next call makes its own
      }
    }
  }
}
