package org.relaxvm.rpc.server;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.Functions;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.api.registry.FunctionMatch;
import org.relaxvm.api.spi.Module;

/**
 * The functions that a client finds by name: those of the session ({@code tvm.rpc.server.*}, the
 * time evaluator), those of the server's options, those of function providers, and those of the
 * process.
 *
 * <p>Source: docs/spec/rpc-protocol.md, section 7.
 */
final class ServerFunctions {
  private final Map<String, PackedFunc> own = new LinkedHashMap<>();
  private final Map<String, PackedFunc> further;
  private final BackendRegistry registry;

  ServerFunctions(
      Map<String, PackedFunc> further,
      BackendRegistry registry,
      SessionFiles files,
      SessionModules modules,
      ImageCache images) {
    this.further = further;
    this.registry = registry;
    own.put("tvm.rpc.server.upload", new UploadFunction(files));
    own.put("tvm.rpc.server.download", (args, result) -> result.set(files.read(args.stringAt(0))));
    own.put(
        "tvm.rpc.server.remove",
        (args, result) -> {
          files.remove(args.stringAt(0));
          result.setNull();
        });
    own.put(
        "tvm.rpc.server.workpath",
        (args, result) -> result.set(files.resolve(args.stringAt(0)).toString()));
    own.put(
        "tvm.rpc.server.load_module", (args, result) -> result.set(modules.load(args.stringAt(0))));
    own.put(
        "tvm.rpc.server.download_linked_module",
        (args, result) -> result.set(linked(files, args.stringAt(0))));
    own.put("tvm.rpc.server.ModuleGetFunction", ServerFunctions::moduleFunction);
    own.put(
        "tvm.rpc.server.ImportModule",
        (args, result) -> {
          modules.importInto(moduleAt(args, 0), moduleAt(args, 1));
          result.setNull();
        });
    own.put(
        "runtime.RPCTimeEvaluator",
        (args, result) ->
            result.set(TimedFunction.of(args, this::find, modules.settings().memoryBytes())));
    own.put("cache_flush_cpu_non_first_arg", CacheFlush::call);
    own.putAll(new DeviceFunctions(modules, images).all());
    own.putAll(ProcessParameters.REFUSED);
  }

  /** The function of a name. */
  Optional<PackedFunc> find(String name) {
    PackedFunc found = own.get(name);
    if (found == null) {
      found = further.get(name);
    }
    if (found != null) {
      return Optional.of(found);
    }
    return registry.findFunction(name).map(FunctionMatch::function).or(() -> Functions.find(name));
  }

  /** A library is linked already; there is no linker here for anything else. */
  private static byte[] linked(SessionFiles files, String name) {
    Path file = files.require(name);
    if (!file.toString().endsWith(".so")) {
      throw new CallException(
              ErrorKind.VALUE,
              "'"
                  + name
                  + "' cannot be linked here: only libraries that are linked already (.so) can be"
                  + " fetched")
          .withTvmMessage("Do not know how to link " + name);
    }
    return files.read(name);
  }

  static Module moduleAt(CallArgs args, int index) {
    if (args.at(index) instanceof Module module) {
      return module;
    }
    throw args.mismatch(index, "ffi.Module");
  }

  private static void moduleFunction(CallArgs args, CallResult result) {
    Module module = moduleAt(args, 0);
    String name = args.stringAt(1);
    boolean withImports = args.count() > 2 && args.booleanAt(2);
    result.set((withImports ? module.findWithImports(name) : module.find(name)).orElse(null));
  }
}
