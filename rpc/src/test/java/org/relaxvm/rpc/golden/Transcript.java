package org.relaxvm.rpc.golden;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/**
 * A recorded connection of Apache TVM's client, server, tracker and proxy. The recordings lie
 * beside the project.
 *
 * @param name the file's name without its extension
 * @param messages in the order in which they passed
 */
public record Transcript(String name, List<Message> messages) {
  private static final Path ROOT = Path.of("../../shared/golden/rpc");

  /**
   * One message of one side.
   *
   * @param client whether the side that acts as client sent it
   * @param bytes all bytes, the length field included; empty where the side closed
   * @param close whether the side closed the connection
   * @param words the message in words, for failures
   * @param handles 8 bytes each at an offset that are a handle, by name
   * @param variable ranges that differ each time
   */
  public record Message(
      boolean client,
      byte[] bytes,
      boolean close,
      String words,
      List<Handle> handles,
      List<Range> variable) {
    /** With other bytes. */
    public Message with(Consumer<ByteBuffer> change) {
      byte[] changed = bytes.clone();
      change.accept(ByteBuffer.wrap(changed).order(ByteOrder.LITTLE_ENDIAN));
      return new Message(client, changed, close, words, handles, variable);
    }
  }

  /** A handle in a message. */
  public record Handle(int offset, String name) {}

  /** Bytes of a message. */
  public record Range(int offset, int length) {}

  /** Skips the test, with the reason, where there are no recordings. */
  public static void assumePresent() {
    Assumptions.assumeTrue(
        Files.isDirectory(ROOT), () -> "the recordings are absent: " + ROOT.toAbsolutePath());
  }

  /** The names of all recorded connections of a case, in order. */
  public static List<String> ofCase(String name) {
    return cases().entrySet().stream()
        .filter(entry -> entry.getKey().equals(name))
        .flatMap(entry -> list(map(entry.getValue()).get("transcripts")).stream())
        .map(part -> String.valueOf(map(part).get("file")))
        .map(file -> file.replaceFirst("\\.jsonl(\\.gz)?$", ""))
        .toList();
  }

  /** What {@code cases.json} says of each case. */
  public static Map<String, Object> cases() {
    try {
      return JSON.std.mapFrom(Files.readString(ROOT.resolve("cases.json")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads a connection, such as {@code call-values.client.0}. */
  public static Transcript read(String name) {
    Path plain = ROOT.resolve(name + ".jsonl");
    Path packed = ROOT.resolve(name + ".jsonl.gz");
    List<Message> messages = new ArrayList<>();
    try (InputStream file =
            Files.exists(plain)
                ? Files.newInputStream(plain)
                : new GZIPInputStream(Files.newInputStream(packed));
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        messages.add(message(JSON.std.mapFrom(line)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Transcript(name, List.copyOf(messages));
  }

  private static Message message(Map<String, Object> line) {
    return new Message(
        "c".equals(line.get("from")),
        HexFormat.of().parseHex(String.valueOf(line.getOrDefault("hex", ""))),
        Boolean.TRUE.equals(line.get("close")),
        String.valueOf(line.getOrDefault("is", "close")),
        list(line.get("handles")).stream()
            .map(Transcript::list)
            .map(pair -> new Handle((Integer) pair.get(0), (String) pair.get(1)))
            .toList(),
        list(line.get("volatile")).stream()
            .map(Transcript::list)
            .map(part -> new Range((Integer) part.get(0), (Integer) part.get(1)))
            .toList());
  }

  @SuppressWarnings("unchecked") // JSON has lists and maps only
  private static List<Object> list(@Nullable Object value) {
    return value == null ? List.of() : (List<Object>) value;
  }

  @SuppressWarnings("unchecked") // as above
  private static Map<String, Object> map(Object value) {
    return (Map<String, Object>) value;
  }
}
