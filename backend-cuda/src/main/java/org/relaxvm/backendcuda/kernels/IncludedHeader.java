package org.relaxvm.backendcuda.kernels;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A header that kernels of other compilers include, which NVRTC has only beside a whole toolkit.
 *
 * @param name as it is included
 * @param text what stands in for it
 */
record IncludedHeader(String name, String text) {
  private static final List<IncludedHeader> ALL =
      List.of(load("cuda/std/cstdint"), load("cuda/std/type_traits"));
  private static final Pattern INCLUDE = Pattern.compile("^\\s*#\\s*include\\b", Pattern.MULTILINE);

  private static IncludedHeader load(String name) {
    String resource = "headers/" + name.substring(name.lastIndexOf('/') + 1);
    try (InputStream in = IncludedHeader.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("the resource " + resource + " is missing");
      }
      return new IncludedHeader(name, new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the resource " + resource, e);
    }
  }

  /** Whether a program includes anything. */
  static boolean isAnyIncludedBy(String source) {
    return INCLUDE.matcher(source).find();
  }

  /** Those that a program includes by their names. */
  static List<IncludedHeader> neededBy(String source) {
    return ALL.stream().filter(header -> source.contains("<" + header.name() + ">")).toList();
  }
}
