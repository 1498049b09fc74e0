package org.relaxvm.rpc.server;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.Managed;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Value;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.memory.AllocatorOptions;
import org.relaxvm.api.memory.DeviceTensors;
import org.relaxvm.api.memory.PooledAllocator;
import org.relaxvm.api.spi.Allocator;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Module;
import org.relaxvm.rpc.wire.WireDevice;
import org.relaxvm.vmcore.executable.FunctionInfo;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.vm.Instrument;
import org.relaxvm.vmcore.vm.Session;
import org.relaxvm.vmcore.vm.VirtualMachine;
import org.relaxvm.vmcore.vm.VmBuilder;

/**
 * A virtual machine as the module that clients of Apache TVM know: its methods, then the functions
 * of the program, saved ones first. It ends with the last handle of it or of a function of it, at
 * the latest with the session.
 *
 * <p>Used by the session's thread. Source: docs/spec/vm-semantics.md, section 7;
 * docs/spec/rpc-protocol.md, section 12.
 */
final class VmModule extends Managed implements Module {
  private static final int NAIVE = 1;
  private static final int POOLED = 2;

  private final Program program;
  private final SessionModules session;
  private final Map<String, PackedFunc> methods =
      Map.ofEntries(
          Map.entry("vm_initialization", this::initialize),
          Map.entry("invoke_closure", this::invokeClosure),
          Map.entry("save_function", this::saveFunction),
          Map.entry("set_input", this::setInput),
          Map.entry("set_input_with_param_module", this::setInputWithParams),
          Map.entry("invoke_stateful", this::invokeStateful),
          Map.entry("get_output_arity", this::outputArity),
          Map.entry("get_output", this::output),
          Map.entry("get_function_arity", this::functionArity),
          Map.entry("get_function_param_name", this::parameterName),
          Map.entry("set_instrument", this::setInstrument));

  /** The functions that were given out and are still held, each as one object. */
  private final Map<String, Lent> lent = new HashMap<>();

  private final AutoCloseable ending = this::end;
  private @Nullable VirtualMachine vm;
  private @Nullable Session state;

  VmModule(Program program, SessionModules session) {
    this.program = program;
    this.session = session;
    session.add(ending);
  }

  /** A function that keeps its module. */
  private final class Lent extends Managed implements PackedFunc {
    private final String name;
    private final PackedFunc function;

    Lent(String name, PackedFunc function) {
      this.name = name;
      this.function = function;
      VmModule.this.retain();
    }

    @Override
    public void call(CallArgs args, CallResult result) {
      function.call(args, result);
    }

    @Override
    public Managed newHandle() {
      return new Lent(name, function);
    }

    @Override
    protected void dispose() {
      lent.remove(name, this);
      VmModule.this.release();
    }

    @Override
    protected String describeKind() {
      return "function";
    }
  }

  @Override
  public String origin() {
    return "virtual machine of " + program.source();
  }

  @Override
  public Set<String> functionNames() {
    Set<String> names = new LinkedHashSet<>(methods.keySet());
    if (vm != null) {
      names.addAll(vm.functionNames());
    }
    return names;
  }

  @Override
  public Optional<PackedFunc> find(String name) {
    PackedFunc method = methods.get(name);
    if (method != null) {
      return Optional.of(lend(name, method));
    }
    return vm != null && vm.functionNames().contains(name)
        ? Optional.of(lend(name, (args, result) -> callFunction(name, args, result)))
        : Optional.empty();
  }

  private PackedFunc lend(String name, PackedFunc function) {
    Lent held = lent.get(name);
    if (held == null) {
      held = new Lent(name, function);
      lent.put(name, held);
    } else {
      held.retain();
    }
    return held;
  }

  @Override
  public Managed newHandle() {
    retain();
    return this;
  }

  @Override
  protected void dispose() {
    session.remove(ending);
    end();
  }

  @Override
  protected String describeKind() {
    return "virtual machine";
  }

  private void end() {
    try (VirtualMachine closing = vm;
        Session closingState = state) {
      vm = null;
      state = null;
    }
  }

  // ---------------------------------------------------------------- making

  private void initialize(CallArgs args, CallResult result) {
    if (args.count() == 0 || args.count() % 3 != 0) {
      throw new CallException(
          ErrorKind.VALUE,
          "vm_initialization takes three integers for each device: its type, its number and its"
              + " allocator, but got "
              + args.count()
              + " arguments");
    }
    VmBuilder builder =
        VirtualMachine.builder(program)
            .registry(session.registry())
            .module(ProcessParameters.MODULE)
            .allocator(device -> allocator(args.context(), device));
    for (int i = 0; i < args.count(); i += 3) {
      WireDevice device = new WireDevice(args.intAt(i), args.intAt(i + 1));
      DeviceId id = SessionValues.deviceId(device);
      if (!id.equals(DeviceId.CPU)) {
        requireOffered(args.context(), device, id);
        builder.device(id);
      }
      checkAllocator(args.intAt(i + 2));
    }
    end();
    vm = builder.build();
    state = vm.session();
    result.setNull();
  }

  /** A session uses the devices that the server offers, and no others. */
  private static void requireOffered(VmContext context, WireDevice device, DeviceId id) {
    if (context.indexOf(device.type(), device.id()) < 0) {
      throw new CallException(
          ErrorKind.VALUE,
          "this server does not offer "
              + id
              + "; it offers "
              + context.devices()
              + "\n  what to do: start it with --devices "
              + id);
    }
  }

  /** A device that the session does not see has memory of its own, which is bounded alike. */
  private Allocator allocator(VmContext context, Device device) {
    int index = context.indexOf(device);
    return index >= 0
        ? new BorrowedAllocator(context.allocator(index))
        : new PooledAllocator(
            device, AllocatorOptions.DEFAULT.withBudget(session.settings().memoryBytes()));
  }

  /** The session's allocator is pooled; a client may ask for either kind. */
  private static void checkAllocator(int number) {
    if (number != NAIVE && number != POOLED) {
      throw new CallException(
              ErrorKind.VALUE,
              "there is no allocator "
                  + number
                  + "\n  expected: 1 for the naive one, 2 for the pooled one")
          .withTvmMessage("Unknown allocator type: " + number);
    }
  }

  private VirtualMachine vm() {
    VirtualMachine made = vm;
    if (made == null) {
      throw new CallException(
          ErrorKind.VALUE,
          "the virtual machine has no devices yet\n  what to do: call vm_initialization first");
    }
    return made;
  }

  private Session state() {
    vm();
    Session made = state;
    if (made == null) {
      throw new IllegalStateException("a virtual machine without a session");
    }
    return made;
  }

  // ---------------------------------------------------------------- methods

  /**
   * Arguments that the virtual machine keeps. Tensors are copied to its first device: the client
   * may change or free the memory of those that it sent.
   */
  private final class Kept implements AutoCloseable {
    private final List<@Nullable Object> values = new ArrayList<>();

    Kept(CallArgs args, int from) {
      boolean done = false;
      try {
        for (int i = from; i < args.count(); i++) {
          Object value = args.at(i);
          values.add(value instanceof Tensor tensor ? copy(args.context(), tensor) : value);
        }
        done = true;
      } finally {
        if (!done) {
          close();
        }
      }
    }

    private Tensor copy(VmContext context, Tensor tensor) {
      Device target = vm().devices().getFirst();
      int index = context.indexOf(target);
      return DeviceTensors.copyTo(tensor, context.allocator(index), context.stream(index));
    }

    @Nullable Object[] values() {
      return values.toArray();
    }

    @Override
    public void close() {
      for (Object value : values) {
        if (value instanceof Tensor tensor) {
          tensor.close();
        }
      }
    }
  }

  private void callFunction(String name, CallArgs args, CallResult result) {
    give(vm().function(name).call(args.toArray()), result);
  }

  private void invokeClosure(CallArgs args, CallResult result) {
    give(vm().invoke(args.at(0), args.toArray(1)), result);
  }

  private void saveFunction(CallArgs args, CallResult result) {
    String function = args.stringAt(0);
    String saved = args.stringAt(1);
    boolean includeReturn = args.booleanAt(2);
    requireFunction(function);
    try (Kept kept = new Kept(args, 3)) {
      vm().saveFunction(function, saved, includeReturn, kept.values());
    }
    result.setNull();
  }

  private void setInput(CallArgs args, CallResult result) {
    String function = args.stringAt(0);
    requireFunction(function);
    try (Kept kept = new Kept(args, 1)) {
      state().setInput(function, kept.values());
    }
    result.setNull();
  }

  private void setInputWithParams(CallArgs args, CallResult result) {
    String function = args.stringAt(0);
    requireFunction(function);
    Module params = ServerFunctions.moduleAt(args, args.count() - 1);
    try (Kept kept = new Kept(args, 1)) {
      List<@Nullable Object> values = kept.values;
      state().setInputWithParams(function, params, values.subList(0, values.size() - 1).toArray());
    }
    result.setNull();
  }

  private void invokeStateful(CallArgs args, CallResult result) {
    String function = args.stringAt(0);
    requireFunction(function);
    state().invoke(function);
    result.setNull();
  }

  private void outputArity(CallArgs args, CallResult result) {
    result.setLong(state().outputArity(args.stringAt(0), indices(args)));
  }

  private void output(CallArgs args, CallResult result) {
    give(state().output(args.stringAt(0), indices(args)), result);
  }

  private static int[] indices(CallArgs args) {
    int[] indices = new int[args.count() - 1];
    for (int i = 0; i < indices.length; i++) {
      indices[i] = args.intAt(i + 1);
    }
    return indices;
  }

  private void functionArity(CallArgs args, CallResult result) {
    result.setLong(parameters(args.stringAt(0)).size());
  }

  private void parameterName(CallArgs args, CallResult result) {
    String function = args.stringAt(0);
    List<String> names = parameters(function);
    int index = args.intAt(1);
    if (index < 0 || index >= names.size()) {
      throw new CallException(
              ErrorKind.VALUE,
              function + " has " + names.size() + " parameter names, and so none of index " + index)
          .withTvmMessage(
              "Invalid index for " + function + " (" + index + " out of " + names.size() + ")");
    }
    result.set(new StringObject(names.get(index)));
  }

  /** Known before devices are chosen. */
  private List<String> parameters(String function) {
    return requireFunction(function).paramNames();
  }

  private FunctionInfo requireFunction(String name) {
    return program.executable().functions().stream()
        .filter(info -> info.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new CallException(ErrorKind.VALUE, "the program has no function '" + name + "'")
                    .withTvmMessage("Unknown function: " + name));
  }

  private void setInstrument(CallArgs args, CallResult result) {
    PackedFunc function =
        args.at(0) instanceof PackedFunc given ? given : made(args, args.stringAt(0));
    vm().instrument(Instrument.of(function));
    result.setNull();
  }

  private static PackedFunc made(CallArgs args, String factory) {
    PackedFunc found =
        args.context()
            .findFunction(factory)
            .orElseThrow(
                () ->
                    new CallException(
                            ErrorKind.VALUE, "there is no instrument factory '" + factory + "'")
                        .withTvmMessage("Cannot find factory " + factory));
    CallResult made = new CallResult();
    found.call(CallArgs.of(args.context(), args.toArray(1)), made);
    if (made.takeRef() instanceof PackedFunc instrument) {
      return instrument;
    }
    throw new CallException(ErrorKind.TYPE, factory + " made no function");
  }

  /** Gives a value with its owner. */
  private static void give(Value value, CallResult result) {
    try (value) {
      Object object = value.object();
      Managed.retain(object);
      result.set(object);
    }
  }
}
