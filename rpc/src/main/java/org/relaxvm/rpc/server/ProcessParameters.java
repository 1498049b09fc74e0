package org.relaxvm.rpc.server;

import java.util.HashMap;
import java.util.Map;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.Module;

/**
 * The builtins that load folders of parameters and keep them for the whole process. A session must
 * neither read files of the server nor see what another one keeps, so that they are refused, to a
 * client and to the programs that it uploads.
 */
final class ProcessParameters {
  private static final String[] CACHES = {"vm.builtin.tensor_cache.", "vm.builtin.ndarray_cache."};
  private static final String[] OPERATIONS = {"load", "get", "update", "remove", "clear"};
  private static final String[] READERS = {
    "vm.builtin.param_array_from_cache",
    "vm.builtin.param_array_from_cache_by_name",
    "vm.builtin.param_array_from_cache_by_name_unpacked",
    "vm.builtin.param_module_from_cache",
    "vm.builtin.param_module_from_cache_by_name"
  };

  /** The functions, by name. */
  static final Map<String, PackedFunc> REFUSED = refused();

  /** A module that virtual machines search before everything but the program. */
  static final Module MODULE = Module.of("the server of remote devices", REFUSED);

  private ProcessParameters() {}

  private static Map<String, PackedFunc> refused() {
    Map<String, PackedFunc> functions = new HashMap<>();
    for (String cache : CACHES) {
      for (String operation : OPERATIONS) {
        refuse(cache + operation, functions);
      }
    }
    for (String reader : READERS) {
      refuse(reader, functions);
    }
    return Map.copyOf(functions);
  }

  private static void refuse(String name, Map<String, PackedFunc> functions) {
    functions.put(
        name,
        (args, result) -> {
          throw new CallException(
              ErrorKind.VALUE,
              name
                  + " is not offered by a server, since parameters that it keeps would be those of"
                  + " all sessions\n  what to do: pass them as arguments, or upload a program that"
                  + " contains them");
        });
  }
}
