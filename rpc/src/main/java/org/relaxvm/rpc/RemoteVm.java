package org.relaxvm.rpc;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/**
 * A virtual machine on the server: inputs are set, a function is invoked, and outputs are read one
 * by one, so that only what is asked for crosses the wire. Thread-safe; one user at a time makes
 * sense.
 *
 * <p>Source: docs/spec/rpc-protocol.md, section 12.
 */
public final class RemoteVm implements AutoCloseable {
  private static final List<String> METHODS =
      List.of(
          "invoke_closure",
          "save_function",
          "set_input",
          "invoke_stateful",
          "get_output",
          "get_output_arity",
          "get_function_arity",
          "get_function_param_name",
          "set_instrument");
  private static final long POOLED = 2;

  private final RemoteModule module;
  private final Map<String, RemoteFunction> methods = new ConcurrentHashMap<>();

  private RemoteVm(RemoteModule module) {
    this.module = module;
  }

  /** A virtual machine of a module that {@code vm_load_executable} made, which it takes over. */
  static RemoteVm start(RemoteModule module, DeviceId... devices) {
    RemoteVm vm = new RemoteVm(module);
    boolean done = false;
    try {
      for (String name : METHODS) {
        vm.methods.put(name, module.requireFunction(name));
      }
      List<@Nullable Object> triples = new ArrayList<>();
      for (DeviceId device : devices) {
        add(triples, device);
      }
      if (devices.length == 0 || !devices[devices.length - 1].equals(DeviceId.CPU)) {
        add(triples, DeviceId.CPU);
      }
      try (RemoteFunction initialize = module.requireFunction("vm_initialization")) {
        initialize.call(triples.toArray());
      }
      done = true;
      return vm;
    } finally {
      if (!done) {
        vm.close();
      }
    }
  }

  private static void add(List<@Nullable Object> triples, DeviceId device) {
    triples.add((long) device.typeCode());
    triples.add((long) device.ordinal());
    triples.add(POOLED);
  }

  private @Nullable Object method(String name, @Nullable Object... args) {
    RemoteFunction method = methods.get(name);
    if (method == null) {
      throw new CallException(
          ErrorKind.VALUE, "this remote virtual machine is closed: it cannot be used any more");
    }
    return method.call(args);
  }

  private static @Nullable Object[] after(Object first, @Nullable Object[] args) {
    @Nullable Object[] all = new Object[args.length + 1];
    all[0] = first;
    System.arraycopy(args, 0, all, 1, args.length);
    return all;
  }

  /** The number of parameter names of a function; 0 where the program has none. */
  public int parameterCount(String function) {
    return method("get_function_arity", function) instanceof Long count ? count.intValue() : 0;
  }

  /** The name of a parameter. */
  public String parameterName(String function, int index) {
    return String.valueOf(method("get_function_param_name", function, (long) index));
  }

  /**
   * Sets all inputs of a function.
   *
   * @param args as for {@link RemoteFunction#call}; tensors are copied on the server
   */
  public void setInput(String function, @Nullable Object... args) {
    method("set_input", after(function, args));
  }

  /** Calls a function with the inputs set, and keeps its result as the outputs. */
  public void invoke(String function) {
    method("invoke_stateful", function);
  }

  /** The number of fields of an output, or -1 when it is no tuple. */
  public int outputArity(String function, int... indices) {
    return method("get_output_arity", after(function, boxed(indices))) instanceof Long arity
        ? arity.intValue()
        : -1;
  }

  /**
   * An output, which is no tuple.
   *
   * @param indices which field of the result, which field of that, and so on
   * @return as {@link RemoteFunction#call}
   */
  public @Nullable Object output(String function, int... indices) {
    return method("get_output", after(function, boxed(indices)));
  }

  /**
   * An output that is a tensor, which the caller closes.
   *
   * @param indices as for {@link #output}
   * @throws CallException a {@code TypeError} when it is none
   */
  public RemoteTensor outputTensor(String function, int... indices) {
    Object value = output(function, indices);
    if (value instanceof RemoteTensor tensor) {
      return tensor;
    }
    if (value instanceof RemoteObject object) {
      object.close();
    }
    throw new CallException(
        ErrorKind.TYPE, "the output of " + function + " is no tensor, but " + value);
  }

  private static @Nullable Object[] boxed(int[] indices) {
    @Nullable Object[] all = new Object[indices.length];
    for (int i = 0; i < indices.length; i++) {
      all[i] = (long) indices[i];
    }
    return all;
  }

  /**
   * Saves a call with its arguments under a name.
   *
   * @param includeReturn whether the saved function gives the result, or null
   */
  public void saveFunction(
      String function, String savedName, boolean includeReturn, @Nullable Object... args) {
    @Nullable Object[] all = new Object[args.length + 3];
    all[0] = function;
    all[1] = savedName;
    all[2] = includeReturn ? 1L : 0L;
    System.arraycopy(args, 0, all, 3, args.length);
    method("save_function", all);
  }

  /** Calls a closure that the program gave out. */
  public @Nullable Object invokeClosure(RemoteObject closure, @Nullable Object... args) {
    return method("invoke_closure", after(closure, args));
  }

  /** A function of the program, or a saved one, which the caller closes. */
  public RemoteFunction function(String name) {
    return module.requireFunction(name);
  }

  /** Calls a function of the program, or a saved one. */
  public @Nullable Object call(String function, @Nullable Object... args) {
    try (RemoteFunction target = module.requireFunction(function)) {
      return target.call(args);
    }
  }

  /** Measures a function of the program, or a saved one, on the server. */
  public RemoteTimer timer(String function, DeviceId device) {
    return module.timer(function, device);
  }

  @Override
  public void close() {
    methods.values().forEach(RemoteFunction::close);
    methods.clear();
    module.close();
  }
}
