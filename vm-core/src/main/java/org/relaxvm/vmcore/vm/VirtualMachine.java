package org.relaxvm.vmcore.vm;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Closure;
import org.relaxvm.api.LeakNet;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.api.spi.Allocator;
import org.relaxvm.api.spi.AllocatorStats;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Preparable;
import org.relaxvm.vmcore.executable.FunctionInfo;
import org.relaxvm.vmcore.executable.FunctionKind;
import org.relaxvm.vmcore.interp.Engine;
import org.relaxvm.vmcore.link.Linked;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.program.ProgramMetadata;
import org.relaxvm.vmcore.program.TensorSpec;

/**
 * A program bound to devices and functions, ready to be called.
 *
 * <pre>{@code
 * try (VirtualMachine vm = VirtualMachine.builder(program).device("cpu").build();
 *     Tensor scores = vm.function("main").call(image).asTensor()) { ... }
 * }</pre>
 *
 * <p><b>Threads.</b> Thread-safe: functions may be called from many threads at once, each call with
 * frames and streams of its own. A {@link Session} belongs to one user.
 *
 * <p><b>Ownership.</b> The VM owns its allocators, its copies of constants, what functions keep
 * with it, and the registry that it discovered itself. Results belong to their callers and may
 * outlive the VM, but not the registry that opened their device.
 *
 * <p>Source: docs/spec/vm-semantics.md.
 */
public final class VirtualMachine implements AutoCloseable {
  private final Program program;
  private final Linked linked;
  private final Engine engine;
  private final SavedFunctions saved;
  private final Captures captures;
  private final LeakNet leakNet;
  private final InputCopies inputCopies;

  VirtualMachine(Program program, Linked linked, LeakNet leakNet, InputCopies inputCopies) {
    this.program = program;
    this.inputCopies = inputCopies;
    this.linked = linked;
    this.engine = linked.engine();
    this.leakNet = leakNet;
    this.saved = new SavedFunctions(this);
    linked.resources().add(saved::close);
    this.captures = new Captures(this, engine);
    linked.resources().add(engine.attachments()::close);
    linked.resources().add(captures::close);
  }

  /** A builder of a VM for a program. */
  public static VmBuilder builder(Program program) {
    return new VmBuilder(program);
  }

  /** The program. */
  public Program program() {
    return program;
  }

  /**
   * The devices; the first is the main device, the last the host, which may be there before, too.
   */
  public List<Device> devices() {
    return engine.devices().devices();
  }

  /** What is held of each device's memory, in the order of {@link #devices}. */
  public List<AllocatorStats> memoryStats() {
    return engine.devices().allocators().stream().map(Allocator::stats).toList();
  }

  /**
   * Copies a tensor to the first device that is not the host; to the host where there is no other.
   * A tensor that is passed to many calls is uploaded once this way; {@link VmFunction#call} copies
   * it each time.
   *
   * @param tensor on any device, with any strides; borrowed
   * @return a compact copy with memory of this virtual machine, which the caller closes. It may be
   *     closed after the virtual machine
   * @throws org.relaxvm.api.error.DeviceOutOfMemoryException when the device or the budget has not
   *     enough memory
   * @throws org.relaxvm.api.error.CallException when the tensor or the virtual machine is closed
   */
  public Tensor upload(Tensor tensor) {
    return upload(tensor, devices().get(InputDevices.mainUpload(engine.devices())));
  }

  /**
   * Copies a tensor to one of the devices; otherwise as {@link #upload(Tensor)}.
   *
   * @param device one of {@link #devices}
   * @throws org.relaxvm.api.error.CallException also a {@code ValueError} for any other device
   */
  public Tensor upload(Tensor tensor, Device device) {
    int index = engine.devices().indexOf(device);
    if (index < 0) {
      throw Messages.unknownDevice(device, devices());
    }
    Tensor copy =
        engine.guarded("upload", () -> InputDevices.copy(engine.devices(), tensor, index));
    return watched(Value.owned(copy), "upload to " + device).asTensor();
  }

  /**
   * Gives the memory that the allocators keep for further calls back to the devices; blocks in use
   * stay. May be called at any time, also while calls run: the next calls ask the devices again.
   *
   * @throws RelaxException the first failure of a device; all that can be released is
   */
  public void trim() {
    RelaxException failure = null;
    for (Allocator allocator : engine.devices().allocators()) {
      try {
        allocator.trim();
      } catch (RelaxException e) {
        failure = failure == null ? e : failure;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /**
   * Does now what first calls would wait for: the code of kernels that is made when they are first
   * called. May be called at any time, also while calls run.
   *
   * @throws RelaxException what the first call of a kernel would throw for it
   */
  public void warmUp() {
    linked.preparable().forEach(Preparable::prepare);
  }

  /** The names that {@link #function} knows: the program's functions, then those saved. */
  public Set<String> functionNames() {
    Set<String> names = new LinkedHashSet<>();
    for (FunctionInfo info : program.executable().functions()) {
      if (info.kind() != FunctionKind.PACKED) {
        names.add(info.name());
      }
    }
    names.addAll(saved.names());
    return names;
  }

  /**
   * A function by name; a saved function comes before one of the program.
   *
   * @throws org.relaxvm.api.error.CallException a {@code ValueError} that lists what exists, or an
   *     {@code InternalError} for a packed function
   */
  public VmFunction function(String name) {
    VmFunction found = saved.find(name);
    if (found != null) {
      return found;
    }
    FunctionInfo info = requireFunction(name);
    Closure target = closure(name);
    String origin = "function " + name;
    InputDevices inputs = inputDevices(name);
    Optional<List<TensorSpec>> described = specs(name, program.metadata().inputs());
    return new VmFunction(
        name,
        described
            .filter(specs -> specs.size() == info.numArgs())
            .map(specs -> specs.stream().map(TensorSpec::name).toList())
            .orElse(info.paramNames()),
        Math.toIntExact(info.numArgs()),
        described.map(specs -> withDevices(specs, inputs)),
        specs(name, program.metadata().outputs()),
        args -> {
          if (args.length != info.numArgs()) {
            throw Messages.wrongArgumentCount(info, inputSpecs(name), args.length);
          }
          return call(origin, target, inputs, args);
        });
  }

  /** What the program's description says, where it is one of this function. */
  private Optional<List<TensorSpec>> specs(String function, List<TensorSpec> described) {
    return program.metadata().function().equals(function) && !described.isEmpty()
        ? Optional.of(described)
        : Optional.empty();
  }

  private static List<TensorSpec> withDevices(List<TensorSpec> specs, InputDevices inputs) {
    List<TensorSpec> stated = new ArrayList<>();
    for (TensorSpec spec : specs) {
      stated.add(spec.withDevice(inputs.device(stated.size()).id()));
    }
    return stated;
  }

  /**
   * The index in {@link #devices} of the device on which the program expects a tensor.
   *
   * @param parameter the parameter's index in a function of the program
   * @return that of the main device, 0, where the program says nothing
   */
  public int deviceOfParameter(String function, int parameter) {
    return inputDevices(function).index(parameter);
  }

  /** What the program says of a function's parameters; empty where it says nothing. */
  List<TensorSpec> inputSpecs(String function) {
    ProgramMetadata metadata = program.metadata();
    return metadata.function().equals(function) ? metadata.inputs() : List.of();
  }

  InputDevices inputDevices(String function) {
    return InputDevices.of(program, function, engine.devices(), inputCopies);
  }

  /**
   * Calls a closure or packed function, such as a program gave it out.
   *
   * @param callable borrowed
   * @param args as for {@link VmFunction#call}; nothing is copied
   * @return the result, which the caller closes
   * @throws org.relaxvm.api.error.CallException as for {@link VmFunction#call}; also when the
   *     closure belongs to another VM, or the value is none
   */
  public Value invoke(@Nullable Object callable, @Nullable Object... args) {
    try (Conversion conversion = Conversion.of("given as a value", args)) {
      Object callee = callable instanceof Value value ? value.object() : callable;
      return call("a closure or packed function", callee, conversion.values());
    }
  }

  /**
   * Saves a call with all its arguments under a name. Arguments on other devices are copied to the
   * main device; those given when the saved function is called come before them.
   *
   * @param includeReturn whether the saved function gives the result, or null
   * @param args as for {@link VmFunction#call}; retained until the VM is closed or the name is
   *     saved again
   * @throws org.relaxvm.api.error.CallException when there is no such function
   */
  public void saveFunction(
      String function, String savedName, boolean includeReturn, @Nullable Object... args) {
    saved.save(function, savedName, includeReturn, args);
  }

  /**
   * Records the work that a call gives to its device, to submit it again as a whole: for calls that
   * are made many times with the same shapes. The call is made twice here: once as it is, so that
   * kernels are compiled and memory is at hand, and once to be recorded, without its work being
   * done. So what a call changes in its arguments is changed once.
   *
   * <p>A call can be recorded when it only submits work to one device, whose streams record ({@link
   * org.relaxvm.api.spi.CapturingStream}), and all tensors that it is given are there. It must not
   * read tensors on the host, as a branch on a tensor does, copy to or from the host, run kernels
   * of the host on tensors of the device, use a second device, or pass tensors of the device to
   * functions that were registered on the builder. What functions of the host compute from shapes
   * and constants is computed once.
   *
   * @param function of the program
   * @param args as for {@link VmFunction#call}; retained until the captured call is closed. Tensors
   *     that are not on the main device, or on that where the program expects them, are copied to
   *     it
   * @return the captured call, which the caller closes
   * @throws org.relaxvm.api.error.CaptureException with the reason when the call cannot be recorded
   * @throws org.relaxvm.api.error.CallException when there is no such function, or the call fails
   * @throws RelaxException of another kind, as kernels and devices throw them
   */
  public CapturedCall capture(String function, @Nullable Object... args) {
    return captured(captures.capture(function, true, args));
  }

  /**
   * As {@link #capture}; where the call cannot be recorded, on the CPU or because of what it does,
   * each replay is a plain call with the same results. {@link CapturedCall#fallbackReason} tells
   * why, and an event of the flight recorder does.
   */
  public CapturedCall captureOrCall(String function, @Nullable Object... args) {
    return captured(captures.capture(function, false, args));
  }

  private CapturedCall captured(CaptureState state) {
    CapturedCall made = new CapturedCall(this, state);
    state.watchedBy(
        leakNet.watch(
            made, "captured call", "the capture of function " + state.function(), state::close));
    return made;
  }

  /** A user's stateful calls: inputs set, functions invoked, outputs read one by one. */
  public Session session() {
    return new Session(this);
  }

  /** Measures how long calls take. */
  public TimeEvaluator timeEvaluator() {
    return new TimeEvaluator(this, System::nanoTime);
  }

  /** Sets or removes the instrument of calls that begin from now on. */
  public void instrument(@Nullable Instrument instrument) {
    engine.hook(instrument == null ? null : new InstrumentHook(instrument));
  }

  /** The number of bytecode instructions that all calls which have ended executed. */
  public long executedInstructions() {
    return engine.executedInstructions();
  }

  /**
   * Where everything is: devices, functions, parameters, constants and storages, the copies between
   * devices that the program states, and what the host does instead of devices.
   */
  public Placement placement() {
    return Placements.of(this, linked);
  }

  /**
   * Refuses new calls, waits for those under way, and gives everything back. Closing again does
   * nothing.
   *
   * @throws org.relaxvm.api.error.CallException when called from within one of the VM's own calls
   */
  @Override
  public void close() {
    if (engine.gate().close()) {
      linked.resources().close();
    }
  }

  Engine engine() {
    return engine;
  }

  /** As {@link #call(String, Object, Object[])}, with arguments brought to their devices. */
  Value call(
      String origin, @Nullable Object callable, InputDevices inputs, @Nullable Object[] args) {
    if (inputs.isTrivial()) {
      return call(origin, callable, args);
    }
    try (InputDevices.Placed placed = engine.guarded(origin, () -> inputs.place(args))) {
      return call(origin, callable, placed.values());
    }
  }

  /** Calls for a user, whose result is watched. */
  Value call(String origin, @Nullable Object callable, @Nullable Object[] args) {
    return watched(engine.call(callable, args), origin);
  }

  /** A value that a user gets. */
  Value watched(Value value, String origin) {
    boolean watched = false;
    try {
      leakNet.watch(value.object(), origin);
      watched = true;
      return value;
    } finally {
      if (!watched) {
        value.close();
      }
    }
  }

  /** As {@link #call}, for results that no user holds. */
  Value callUnguarded(Object callable, @Nullable Object[] args) {
    return engine.call(callable, args);
  }

  /** The program's own function of a name. */
  FunctionInfo requireFunction(String name) {
    FunctionInfo info =
        program
            .executable()
            .function(name)
            .orElseThrow(() -> Messages.unknownFunction(name, functionNames()));
    if (info.kind() == FunctionKind.PACKED) {
      throw Messages.notCallable(name, functionNames());
    }
    return info;
  }

  /** The closure of the program's own function of a name, borrowed. */
  Closure closure(String name) {
    requireFunction(name);
    int index = program.executable().functionIndex(name).orElseThrow();
    return (Closure) engine.functionValue(index);
  }
}
