package org.relaxvm.backendtestkit.cache;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.stream.Stream;

/** Digests of bytes and of classes. */
final class Digests {
  private Digests() {}

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  static byte[] sha256(byte[] bytes) {
    return sha256().digest(bytes);
  }

  /**
   * A digest of the JVM's version and of all classes of the jars or folders that classes came from.
   * A jar has the same digest as the folder that it was packed from.
   */
  static byte[] ofCode(Class<?>... members) throws IOException {
    MessageDigest digest = sha256();
    digest.update(System.getProperty("java.vm.version", "").getBytes(UTF_8));
    for (Class<?> member : members) {
      CodeSource source = member.getProtectionDomain().getCodeSource();
      if (source == null) {
        throw new IOException("the jar or folder of " + member.getName() + " is unknown");
      }
      try {
        Path location = Path.of(source.getLocation().toURI());
        if (Files.isDirectory(location)) {
          addClasses(digest, location);
        } else {
          try (FileSystem jar = FileSystems.newFileSystem(location)) {
            addClasses(digest, jar.getPath("/"));
          }
        }
      } catch (URISyntaxException e) {
        throw new IOException("no path: " + source.getLocation(), e);
      }
    }
    return digest.digest();
  }

  private static void addClasses(MessageDigest digest, Path root) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(root)) {
      files =
          all.filter(file -> file.toString().endsWith(".class"))
              .filter(file -> !file.endsWith("module-info.class"))
              .toList();
    }
    List<String> names =
        files.stream().map(file -> root.relativize(file).toString()).sorted().toList();
    for (String name : names) {
      digest.update(name.getBytes(UTF_8));
      digest.update(sha256(Files.readAllBytes(root.resolve(name))));
    }
  }
}
