package org.relaxvm.rpc;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.relaxvm.api.DeviceId;
import org.relaxvm.rpc.error.RpcException;
import org.relaxvm.rpc.error.RpcProtocolException;
import org.relaxvm.rpc.wire.TypeIndex;

/** A loaded file, or a virtual machine, on the server. Thread-safe. */
public final class RemoteModule extends RemoteObject {
  private final Map<String, RemoteFunction> used = new LinkedHashMap<>();

  RemoteModule(RpcSession session, long handle) {
    super(session, handle, TypeIndex.MODULE);
  }

  /**
   * A function of the module or of those that it imports.
   *
   * @return the function, which the caller closes; empty when there is none
   */
  public Optional<RemoteFunction> function(String name) {
    Object found = used("tvm.rpc.server.ModuleGetFunction").call(this, name, true);
    return found instanceof RemoteFunction function ? Optional.of(function) : Optional.empty();
  }

  /**
   * A function of the module or of those that it imports, which the caller closes.
   *
   * @throws RpcException a {@code ValueError} when there is none
   */
  public RemoteFunction requireFunction(String name) {
    return function(name).orElseThrow(() -> session().noFunction(name, this));
  }

  private RemoteFunction used(String name) {
    synchronized (used) {
      RemoteFunction found = used.get(name);
      if (found == null) {
        found = session().requireFunction(name);
        used.put(name, found);
      }
      return found;
    }
  }

  /** Makes this module search another one, too. */
  public void importModule(RemoteModule child) {
    try (RemoteFunction function = session().requireFunction("tvm.rpc.server.ImportModule")) {
      function.call(this, child);
    }
  }

  /**
   * Measures a function of this module on the server.
   *
   * @param device whose work is waited for
   */
  public RemoteTimer timer(String function, DeviceId device) {
    return new RemoteTimer(
        session(), () -> used(RpcSession.TIME_EVALUATOR), this, function, device);
  }

  /**
   * Makes a virtual machine of a loaded program.
   *
   * @param devices of the server; the host is added where it is not the last
   * @return the virtual machine, which the caller closes
   */
  public RemoteVm vm(DeviceId... devices) {
    try (RemoteFunction load = requireFunction("vm_load_executable")) {
      Object made = load.call();
      if (made instanceof RemoteModule module) {
        return RemoteVm.start(module, devices);
      }
      throw new RpcProtocolException("vm_load_executable gave no module, but " + made);
    }
  }

  @Override
  String describe() {
    return "remote module";
  }

  @Override
  public void close() {
    synchronized (used) {
      used.values().forEach(RemoteFunction::close);
      used.clear();
    }
    super.close();
  }
}
