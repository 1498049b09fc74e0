package org.relaxvm.api.discovery;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.security.CodeSource;

/** Where classes come from, in words for the user. */
public final class Origins {
  private Origins() {}

  /** The jar or folder of a class; for classes without one, their module. */
  public static String of(Class<?> type) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    if (source != null && source.getLocation() != null) {
      return readable(source.getLocation());
    }
    return type.getModule().isNamed() ? "module " + type.getModule().getName() : "unknown jar";
  }

  /** A jar or folder, as {@link #of(Class)} calls it for its classes. */
  public static String of(Path entry) {
    return entry.toAbsolutePath().normalize().toString();
  }

  /** The jar or folder that holds a resource. */
  public static String ofResource(URL resource, String name) {
    String text = resource.toString();
    if (text.endsWith(name)) {
      text = text.substring(0, text.length() - name.length());
    }
    if (text.startsWith("jar:")) {
      text = text.substring("jar:".length()).replaceFirst("!/+$", "");
    }
    return readableText(text);
  }

  private static String readable(URL location) {
    return readableText(location.toString());
  }

  private static String readableText(String text) {
    if (!text.startsWith("file:")) {
      return text;
    }
    try {
      return Path.of(new URI(text)).toString();
    } catch (URISyntaxException | IllegalArgumentException e) {
      return text; // An odd location is still better shown as it is than not at all.
    }
  }
}
