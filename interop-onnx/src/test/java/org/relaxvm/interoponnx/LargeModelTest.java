package org.relaxvm.interoponnx;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.Message;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.DType;
import org.relaxvm.interoponnx.data.ElementType;

/** Models with a weight of more than 2 GiB, in a JVM with a heap of 256 MiB. */
@Tag("full")
class LargeModelTest {
  private static final int COLUMNS = 64;
  private static final long ROWS = (2L << 30) / (COLUMNS * Float.BYTES) + 1000;
  private static final long BYTES = ROWS * COLUMNS * Float.BYTES;
  private static final long NEEDED = 3L << 30;
  private static final int MOST_MINUTES = 10;

  @TempDir Path folder;

  @BeforeEach
  void needsSpace() throws IOException {
    long free = Files.getFileStore(folder).getUsableSpace();
    Assumptions.assumeTrue(
        free >= NEEDED, () -> folder + " has " + free + " bytes left; expected " + NEEDED);
  }

  @Test
  void aWeightInTheModelIsNotOnTheHeap() throws Exception {
    Path file = folder.resolve("inline.onnx");
    byte[] tensor = weight().build().toByteArray();
    byte[] tensorHead = concat(tensor, field(9, BYTES));
    byte[] graph =
        concat(graph().graph().toByteArray(), field(5, tensorHead.length + BYTES), tensorHead);
    byte[] head =
        concat(new OnnxModels(13).proto().toByteArray(), field(7, graph.length + BYTES), graph);
    // Any other number of bytes: the weight is to begin where no weight of a program may.
    assertThat(head.length % 64).isNotZero();
    write(file, head, head.length);
    assertThat(run(file)).isEqualTo("result [2.5, 3.5]");
  }

  @Test
  void aWeightInAnotherFileIsNotOnTheHeap() throws Exception {
    write(folder.resolve("weights.bin"), new byte[0], 4096);
    OnnxMessages.Builder weight = weight().set("data_location", 1);
    entry(weight, "location", "weights.bin");
    entry(weight, "offset", "4096");
    Path file = folder.resolve("external.onnx");
    Files.write(file, graph().initializer(weight.build()).proto().toByteArray());
    assertThat(run(file)).isEqualTo("result [2.5, 3.5]");
  }

  /** Gives two elements of a row. */
  private static OnnxModels graph() {
    return new OnnxModels(13)
        .input("row", DType.INT64, 1)
        .node("Gather", List.of("weight", "row"), List.of("y"))
        .output("y", DType.FLOAT32, 1, COLUMNS);
  }

  private static OnnxMessages.Builder weight() {
    return OnnxMessages.builder("TensorProto")
        .set("name", "weight")
        .set("data_type", ElementType.FLOAT.number())
        .add("dims", ROWS, (long) COLUMNS);
  }

  private static void entry(OnnxMessages.Builder proto, String key, String value) {
    Message entry =
        OnnxMessages.builder("StringStringEntryProto").set("key", key).set("value", value).build();
    proto.add("external_data", entry);
  }

  /** The tag and the length of a field with bytes. */
  private static byte[] field(int number, long bytes) throws IOException {
    ByteArrayOutputStream result = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(result);
    out.writeUInt32NoTag(number << 3 | 2);
    out.writeUInt64NoTag(bytes);
    out.flush();
    return result.toByteArray();
  }

  private static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream result = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      result.writeBytes(part);
    }
    return result.toByteArray();
  }

  /** Writes zeros with two numbers at the beginning of the last row; most of it takes no space. */
  private static void write(Path path, byte[] head, long start) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.write(head);
      file.setLength(start + BYTES);
      file.seek(start + (ROWS - 1) * COLUMNS * Float.BYTES);
      file.writeInt(Integer.reverseBytes(Float.floatToRawIntBits(2.5f)));
      file.writeInt(Integer.reverseBytes(Float.floatToRawIntBits(3.5f)));
    }
  }

  private static String run(Path file) throws Exception {
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx256m",
                    "-XX:+UseSerialGC",
                    "--add-modules",
                    "jdk.incubator.vector",
                    "--enable-native-access=ALL-UNNAMED",
                    "-cp",
                    System.getProperty(
                        "surefire.test.class.path", System.getProperty("java.class.path")),
                    LargeModelRun.class.getName(),
                    file.toString(),
                    Long.toString(ROWS - 1)))
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    if (!process.waitFor(MOST_MINUTES, TimeUnit.MINUTES)) {
      process.destroyForcibly();
    }
    List<String> lines =
        new String(process.getInputStream().readAllBytes(), UTF_8).lines().toList();
    return lines.stream()
        .filter(line -> line.startsWith("result "))
        .findFirst()
        .orElse(String.join("\n", lines));
  }
}
