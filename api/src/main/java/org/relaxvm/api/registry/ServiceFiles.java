package org.relaxvm.api.registry;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Which jar on the class path lists which provider class. {@link java.util.ServiceLoader} does not
 * tell for a class that it cannot load, and the user needs to know the jar.
 */
final class ServiceFiles {
  private ServiceFiles() {}

  /** The provider classes listed for a service, in order, each with its jar or folder. */
  static Map<String, String> listed(Class<?> service, ClassLoader loader) {
    String name = "META-INF/services/" + service.getName();
    Map<String, String> origins = new LinkedHashMap<>();
    try {
      for (URL file : Collections.list(loader.getResources(name))) {
        read(file, Origins.ofResource(file, name), origins);
      }
    } catch (IOException e) {
      // The file that cannot be read is what ServiceLoader reports; here it only costs the origin.
      return origins;
    }
    return origins;
  }

  private static void read(URL file, String origin, Map<String, String> origins)
      throws IOException {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(file.openStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        int comment = line.indexOf('#');
        String entry = (comment < 0 ? line : line.substring(0, comment)).strip();
        if (!entry.isEmpty()) {
          origins.putIfAbsent(entry, origin);
        }
      }
    }
  }
}
