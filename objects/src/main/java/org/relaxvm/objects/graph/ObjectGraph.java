package org.relaxvm.objects.graph;

import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.api.object.ObjectTypes;

/**
 * A value with all that it refers to, as JSON text and back. Objects that are referred to twice are
 * the same object again. Immutable; thread-safe as far as the value is.
 *
 * <p>Memory is proportional to the text; neither deep nor cyclic graphs exhaust the stack. Source:
 * docs/spec/object-system.md, sections 3 and 4.
 *
 * @param root a value as {@link org.relaxvm.api.object.ObjectNode} lists them, or an object of a
 *     registered class
 * @param metadata texts, integers and booleans by name, such as {@code tvm_version}
 */
public record ObjectGraph(@Nullable Object root, Map<String, Object> metadata) {
  /**
   * Copies the metadata.
   *
   * @throws CallException a {@code TypeError} for metadata of another class
   */
  public ObjectGraph {
    metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
    metadata.forEach(ObjectGraph::requireScalar);
  }

  private static void requireScalar(String name, @Nullable Object value) {
    switch (value) {
      case String _, Long _, Integer _, Boolean _ -> {}
      case null, default ->
          throw new CallException(
              ErrorKind.TYPE,
              "the metadata '"
                  + name
                  + "' must be a string, an integer or a boolean, but is "
                  + (value == null ? "null" : "a " + value.getClass().getSimpleName()));
    }
  }

  /** A graph without metadata. */
  public ObjectGraph(@Nullable Object root) {
    this(root, Map.of());
  }

  /**
   * Reads a text.
   *
   * @throws MalformedFileException if it is no graph of objects of the types
   */
  public static ObjectGraph parse(String text, ObjectTypes types) {
    return parse(text, (_, _) -> types);
  }

  /**
   * Reads a text with the types that it asks for.
   *
   * @throws MalformedFileException if it is no graph of objects of the types
   */
  public static ObjectGraph parse(String text, TypeChoice types) {
    return read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "the text", types);
  }

  /**
   * Reads a file.
   *
   * @throws MalformedFileException if it is no graph of objects of the types
   * @throws UncheckedIOException if it cannot be read
   */
  public static ObjectGraph read(Path file, ObjectTypes types) {
    return read(file, (_, _) -> types);
  }

  /**
   * Reads a file with the types that it asks for.
   *
   * @throws MalformedFileException if it is no graph of objects of the types
   * @throws UncheckedIOException if it cannot be read
   */
  public static ObjectGraph read(Path file, TypeChoice types) {
    try (InputStream in = Files.newInputStream(file)) {
      return read(in, file.toString(), types);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ObjectGraph read(InputStream in, String name, TypeChoice types) {
    try {
      RawGraph raw = GraphText.read(in, name);
      ObjectTypes chosen = types.of(raw.keys(), raw.metadata());
      return new ObjectGraph(GraphDecoder.decode(raw, chosen), raw.metadata());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The text, without blanks.
   *
   * @throws CallException if the value contains itself, or something that has no text
   */
  public String toJson(ObjectTypes types) {
    return toJson(types, JsonLayout.COMPACT);
  }

  /**
   * The text.
   *
   * @throws CallException if the value contains itself, or something that has no text
   */
  public String toJson(ObjectTypes types, JsonLayout layout) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      GraphEncoder.encode(root, types, metadata, layout, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  /**
   * Writes the text in UTF-8, without blanks.
   *
   * @param out which is not closed
   * @throws CallException as {@link #toJson}
   */
  public void write(OutputStream out, ObjectTypes types) throws IOException {
    write(out, types, JsonLayout.COMPACT);
  }

  /**
   * Writes the text in UTF-8.
   *
   * @param out which is not closed
   * @throws CallException as {@link #toJson}
   */
  public void write(OutputStream out, ObjectTypes types, JsonLayout layout) throws IOException {
    BufferedOutputStream buffered = new BufferedOutputStream(out);
    GraphEncoder.encode(root, types, metadata, layout, buffered);
    buffered.flush();
  }
}
