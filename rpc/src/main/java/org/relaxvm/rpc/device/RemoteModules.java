package org.relaxvm.rpc.device;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallEffects;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.kernels.KernelLibrary;
import org.relaxvm.api.kernels.KernelSignature;
import org.relaxvm.api.spi.KernelEntry;
import org.relaxvm.api.spi.LaunchTag;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.rpc.client.Calls;
import org.relaxvm.rpc.error.RemoteCallException;
import org.relaxvm.rpc.error.RpcException;
import org.relaxvm.rpc.error.RpcProtocolException;
import org.relaxvm.rpc.wire.DeviceProtocol;
import org.relaxvm.rpc.wire.ObjectHandle;
import org.relaxvm.rpc.wire.OpaquePointer;
import org.relaxvm.rpc.wire.PacketCode;
import org.relaxvm.rpc.wire.Sha256;
import org.relaxvm.rpc.wire.TypeIndex;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The kernel library of a remote device, and the kernels that are loaded there. Thread-safe. */
final class RemoteModules {
  private static final Logger LOG = LoggerFactory.getLogger(RemoteModules.class);

  private final RemoteDevice device;
  private final Calls calls;
  private final RemoteDescription description;

  private final KernelLibrary table = KernelLibrary.standard();

  /** Functions of the server that this class uses, by name. */
  private final Map<String, Long> functions = new ConcurrentHashMap<>();

  RemoteModules(RemoteDevice device, Calls calls, RemoteDescription description) {
    this.device = device;
    this.calls = calls;
    this.description = description;
  }

  /** The result of a function of the server: its first value is the type. */
  @Nullable Object call(String function, @Nullable Object... args) {
    return result(device.open(() -> calls.call(handleOf(function), args)));
  }

  private @Nullable Object result(@Nullable Object[] answer) {
    if (answer.length < 2) {
      throw new RpcProtocolException(
          calls.conversation().peer() + " sent an answer that is no result of a call");
    }
    return answer[1];
  }

  long handleOf(String function) {
    return functions.computeIfAbsent(
        function,
        name -> {
          long handle = calls.globalFunction(name);
          if (handle == 0) {
            throw new RpcProtocolException(
                calls.conversation().peer()
                    + " has no function "
                    + name
                    + ": it is no server of RelaxVM\n  what to do: use RpcSession for other"
                    + " servers, or update that one");
          }
          return handle;
        });
  }

  Module library() {
    Map<String, PackedFunc> found = new ConcurrentHashMap<>();
    return new Module() {
      @Override
      public String origin() {
        return "kernel library of " + description.properties().name();
      }

      @Override
      public Set<String> functionNames() {
        return description.library();
      }

      @Override
      public Optional<PackedFunc> find(String name) {
        return description.library().contains(name)
            ? Optional.of(found.computeIfAbsent(name, RemoteModules.this::libraryFunction))
            : Optional.empty();
      }

      @Override
      public CallEffects effectsOf(String function) {
        return table.find(function).map(KernelSignature::effects).orElse(CallEffects.UNKNOWN);
      }
    };
  }

  private PackedFunc libraryFunction(String name) {
    Object handle = call(DeviceProtocol.LIBRARY_FUNCTION, description.name(), name);
    return new RemoteKernel(
        device, this, name, handle(handle, name), table.find(name).orElse(null));
  }

  private long handle(@Nullable Object answer, String what) {
    if (answer instanceof OpaquePointer pointer && pointer.value() != 0) {
      return pointer.value();
    }
    throw new BackendException(ErrorKind.RUNTIME, device + " has no " + what);
  }

  // ---------------------------------------------------------------- images

  Module load(ModuleImage image) {
    Object[] what = {description.name(), Sha256.of(image.bytes()), header(image)};
    try {
      Object module = call(DeviceProtocol.LOAD_IMAGE, what);
      if (module == null) {
        module =
            result(
                device.open(
                    () ->
                        calls.callWithBytes(
                            handleOf(DeviceProtocol.LOAD_IMAGE), image.bytes(), what)));
      }
      return loaded(image, handle(module, "module"));
    } catch (RemoteCallException e) {
      throw new BackendException(e.kind(), e.summary(), e);
    }
  }

  private static String header(ModuleImage image) {
    List<Map<String, Object>> entries = new ArrayList<>();
    for (KernelEntry entry : image.entries()) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put(DeviceProtocol.NAME, entry.name());
      fields.put(
          DeviceProtocol.PARAMETERS, entry.parameters().stream().map(DType::toString).toList());
      fields.put(DeviceProtocol.TAGS, entry.launchTags().stream().map(LaunchTag::text).toList());
      fields.put(DeviceProtocol.TENSOR_MAPS, List.copyOf(entry.tensorMaps()));
      fields.put(DeviceProtocol.UNIFORM, entry.uniformScalars());
      entries.add(fields);
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put(DeviceProtocol.FORMAT, image.format());
    fields.put(DeviceProtocol.SYMBOLS, image.symbols());
    fields.put(DeviceProtocol.ENTRIES, entries);
    try {
      return JSON.std.asString(fields);
    } catch (IOException e) {
      throw new IllegalStateException("text of plain values", e);
    }
  }

  private Module loaded(ModuleImage image, long module) {
    @Nullable Object[] args = new Object[image.symbols().size() + 1];
    args[0] = Calls.module(module);
    for (int i = 1; i < args.length; i++) {
      args[i] = image.symbols().get(i - 1);
    }
    Map<?, ?> found = json(call(DeviceProtocol.IMAGE_FUNCTIONS, args));
    Set<String> names = new LinkedHashSet<>();
    if (found.get(DeviceProtocol.FUNCTIONS) instanceof List<?> list) {
      list.forEach(name -> names.add(String.valueOf(name)));
    }
    Map<?, ?> lacks =
        found.get(DeviceProtocol.LACKS) instanceof Map<?, ?> reasons ? reasons : Map.of();
    Map<String, RemoteKernel> kernels = new ConcurrentHashMap<>();
    AtomicBoolean closed = new AtomicBoolean();
    return new Module() {
      @Override
      public String origin() {
        return "kernels on " + description.properties().name();
      }

      @Override
      public Set<String> functionNames() {
        return names;
      }

      @Override
      public Optional<PackedFunc> find(String name) {
        return names.contains(name)
            ? Optional.of(kernels.computeIfAbsent(name, each -> kernel(module, each)))
            : Optional.empty();
      }

      @Override
      public Optional<String> lacks(String name) {
        return lacks.get(name) instanceof String reason ? Optional.of(reason) : Optional.empty();
      }

      @Override
      public void close() {
        if (closed.compareAndSet(false, true)) {
          kernels.values().forEach(kernel -> free(kernel.handle()));
          free(module);
        }
      }
    };
  }

  /** Frees an object after all that uses it, without a wait. */
  private void free(long handle) {
    try {
      calls.submit(PacketCode.FREE_HANDLE, new OpaquePointer(handle));
    } catch (RpcException e) {
      // The server freed it with the session.
      LOG.debug("the session ended before a handle was freed", e);
    }
  }

  private RemoteKernel kernel(long module, String name) {
    Object handle = call("tvm.rpc.server.ModuleGetFunction", Calls.module(module), name, true);
    return new RemoteKernel(device, this, name, handle(handle, name), null);
  }

  private Map<?, ?> json(@Nullable Object text) {
    try {
      return JSON.std.mapFrom(String.valueOf(text));
    } catch (IOException e) {
      throw new RpcProtocolException(
          calls.conversation().peer() + " describes kernels in a form that is not known", e);
    }
  }

  /** A function of the session as an argument. */
  static ObjectHandle function(long handle) {
    return new ObjectHandle(TypeIndex.FUNCTION, handle);
  }
}
