package org.relaxvm.integrationtests.fuzz;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.relaxvm.vmcore.zip.StoredZip;
import org.relaxvm.vmcore.zip.StoredZipWriter;

/**
 * Damages one entry of a package and makes checksums, sizes and digests right again, so that the
 * damage gets behind them.
 */
final class PackageMutator {
  private static final String MANIFEST = "manifest.json";
  private static final String PROGRAM = "program.bin";

  private final RandomGenerator random;

  PackageMutator(RandomGenerator random) {
    this.random = random;
  }

  byte[] mutate(byte[] original, UnaryOperator<byte[]> code, UnaryOperator<byte[]> anything) {
    Map<String, byte[]> entries = new LinkedHashMap<>();
    StoredZip.read("a package", MemorySegment.ofArray(original))
        .forEach(
            (name, entry) -> entries.put(name, entry.content().toArray(ValueLayout.JAVA_BYTE)));
    String name = chosen(new ArrayList<>(entries.keySet()));
    byte[] before = Objects.requireNonNull(entries.get(name));
    byte[] after = name.equals(PROGRAM) ? code.apply(before) : anything.apply(before);
    entries.put(name, after);
    if (!name.equals(MANIFEST)) {
      String manifest =
          new String(Objects.requireNonNull(entries.get(MANIFEST)), StandardCharsets.UTF_8);
      String corrected =
          manifest
              .replace(sha256(before), sha256(after))
              .replace("\"bytes\" : " + before.length + ",", "\"bytes\" : " + after.length + ",");
      entries.put(MANIFEST, corrected.getBytes(StandardCharsets.UTF_8));
    }
    return zip(entries);
  }

  private String chosen(List<String> names) {
    return random.nextInt(3) == 0 ? names.get(random.nextInt(names.size())) : PROGRAM;
  }

  private static byte[] zip(Map<String, byte[]> entries) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    StoredZipWriter writer = new StoredZipWriter(Channels.newChannel(out));
    try {
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        writer.add(entry.getKey(), MemorySegment.ofArray(entry.getValue()));
      }
      writer.finish();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
