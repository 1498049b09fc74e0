package org.relaxvm.api.discovery;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedSet;

/**
 * Which jars on the class path list which provider classes. {@link java.util.ServiceLoader} does
 * not tell for a class that it cannot load or that it finds twice, and the user needs to know the
 * jar.
 */
public final class ServiceFiles {
  /** The folder of service files in a jar. */
  public static final String FOLDER = "META-INF/services/";

  private ServiceFiles() {}

  /** The provider classes listed for a service, in order, each with its jars or folders. */
  public static Map<String, SequencedSet<String>> listed(Class<?> service, ClassLoader loader) {
    String name = FOLDER + service.getName();
    Map<String, SequencedSet<String>> origins = new LinkedHashMap<>();
    try {
      for (URL file : Collections.list(loader.getResources(name))) {
        for (String entry : read(file)) {
          origins
              .computeIfAbsent(entry, _ -> new LinkedHashSet<>(1))
              .add(Origins.ofResource(file, name));
        }
      }
    } catch (IOException e) {
      // The file that cannot be read is what ServiceLoader reports; here it only costs the origin.
      return origins;
    }
    return origins;
  }

  private static SequencedSet<String> read(URL file) throws IOException {
    URLConnection connection = file.openConnection();
    // The cache would keep the jar open after its class loader was closed.
    connection.setUseCaches(false);
    try (InputStream in = connection.getInputStream()) {
      return entries(in);
    }
  }

  /** The classes that a service file lists. */
  public static SequencedSet<String> entries(InputStream file) throws IOException {
    SequencedSet<String> entries = new LinkedHashSet<>();
    BufferedReader lines = new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      int comment = line.indexOf('#');
      String entry = (comment < 0 ? line : line.substring(0, comment)).strip();
      if (!entry.isEmpty()) {
        entries.add(entry);
      }
    }
    return entries;
  }
}
