package org.relaxvm.backendtestkit.reference;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Map;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.ModuleImage;

/**
 * The smallest module format: each line of UTF-8 text is {@code symbol = kernel} and gives a kernel
 * of the library another name.
 */
final class ReferenceModules {
  static final String FORMAT = "kernel-names";

  private ReferenceModules() {}

  static Module load(ReferenceDevice device, ModuleImage image) {
    String text = new String(image.bytes().toArray(ValueLayout.JAVA_BYTE), UTF_8);
    Map<String, PackedFunc> functions = new HashMap<>();
    for (String line : text.lines().toList()) {
      int equals = line.indexOf('=');
      String kernel = line.substring(equals + 1).strip();
      PackedFunc function = device.library().find(kernel).orElse(null);
      if (equals < 0 || function == null) {
        throw refused(device, "line '" + line + "' is not 'symbol = kernel of the library'");
      }
      functions.put(line.substring(0, equals).strip(), function);
    }
    for (String symbol : image.symbols()) {
      if (!functions.containsKey(symbol)) {
        throw refused(device, "it has no line for symbol '" + symbol + "'");
      }
    }
    return Module.of("module of " + device, functions);
  }

  private static BackendException refused(ReferenceDevice device, String reason) {
    return new BackendException(
        ErrorKind.INTERNAL, device + " cannot load a module of format " + FORMAT + ": " + reason);
  }
}
