package org.relaxvm.interoptvm.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * Tells a file from one that replaced it, which has the same name. Immutable.
 *
 * <p>Rationale: docs/rationale/interop-tvm.md, "Why is a library sometimes opened under another
 * spelling of its path?"
 *
 * @param key null where there is no file, or the system has no such keys
 */
public record FileIdentity(@Nullable Object key) {
  /** The file that a name stands for now. */
  public static FileIdentity of(Path path) {
    try {
      return new FileIdentity(Files.readAttributes(path, BasicFileAttributes.class).fileKey());
    } catch (IOException e) {
      // Whoever opens it says why.
      return new FileIdentity(null);
    }
  }
}
