package org.relaxvm.interoponnx.proto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.interoponnx.OnnxMessages;
import org.relaxvm.interoponnx.cases.OnnxCase;
import org.relaxvm.interoponnx.options.OnnxLimits;
import org.relaxvm.testsupport.Effort;
import org.relaxvm.testsupport.RandomCases;

/** Our reader of the wire format beside the protobuf library. */
class ProtoReferenceTest {
  private static final Path FOLDER = Path.of("../../shared/onnx-tests");

  private static List<byte[]> models() {
    Assumptions.assumeTrue(
        Files.isDirectory(FOLDER), () -> "there are no models: " + FOLDER.toAbsolutePath());
    List<byte[]> models = new ArrayList<>();
    for (String archive : List.of("node", "simple", "pytorch-operator", "pytorch-converted")) {
      for (OnnxCase testCase : OnnxCase.read(FOLDER.resolve(archive + ".zip"))) {
        models.add(testCase.model().toArray(ValueLayout.JAVA_BYTE));
      }
    }
    return models;
  }

  private static DynamicMessage reference(byte[] bytes) throws InvalidProtocolBufferException {
    return DynamicMessage.parseFrom(OnnxMessages.descriptor("ModelProto"), bytes);
  }

  private static ModelProto ours(byte[] bytes) {
    return ModelProto.read(MemorySegment.ofArray(bytes), OnnxLimits.DEFAULT.maxFields());
  }

  @Test
  void allModelsOfTheSuiteReadAlike() throws IOException {
    for (byte[] model : models()) {
      ProtoComparison.same(ours(model), reference(model));
    }
  }

  @Test
  void whatTheLibraryReadsOfMutatedModelsWeReadAlike() {
    List<byte[]> models = models().stream().filter(model -> model.length < 20_000).toList();
    RandomCases cases = RandomCases.of(Effort.chosen().pick(2_000, 20_000, 1_000_000));
    System.out.println("mutated models: " + cases);
    cases
        .numbers()
        .forEach(
            number -> {
              Random random = new Random(cases.seed() * 31 + number);
              byte[] mutated = mutated(models.get(random.nextInt(models.size())), random);
              assertThatCode(() -> compare(mutated))
                  .as(cases.repeat(number))
                  .doesNotThrowAnyException();
            });
  }

  private static void compare(byte[] model) {
    DynamicMessage reference;
    try {
      reference = reference(model);
    } catch (InvalidProtocolBufferException e) {
      readOrRefuse(model);
      return;
    }
    if (reference.hasField(OnnxMessages.field("ModelProto", "graph"))) {
      ProtoComparison.same(ours(model), reference);
    } else {
      readOrRefuse(model);
    }
  }

  /** Nested messages that we do not need may be malformed. */
  private static void readOrRefuse(byte[] bytes) {
    try {
      assertThat(ours(bytes)).isNotNull();
    } catch (MalformedFileException e) {
      assertThat(e).hasMessageContaining("malformed ONNX model");
    }
  }

  private static byte[] mutated(byte[] model, Random random) {
    byte[] bytes = model.clone();
    int changes = 1 + random.nextInt(4);
    for (int i = 0; i < changes && bytes.length > 0; i++) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(4)) {
        case 0 -> bytes[at] = (byte) random.nextInt();
        case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 2 -> bytes = Arrays.copyOf(bytes, at);
        default -> {
          int length = random.nextInt(bytes.length - at);
          System.arraycopy(model, 0, bytes, at, Math.min(length, model.length));
        }
      }
    }
    return bytes;
  }

  @Test
  void messagesThatOccurTwiceAreMerged() throws IOException {
    DynamicMessage first =
        OnnxMessages.builder("ModelProto")
            .set("ir_version", 7L)
            .set(
                "graph",
                OnnxMessages.builder("GraphProto").set("name", "a").add("node", node("A")).build())
            .build();
    DynamicMessage second =
        OnnxMessages.builder("ModelProto")
            .set("ir_version", 8L)
            .set(
                "graph",
                OnnxMessages.builder("GraphProto").set("name", "b").add("node", node("B")).build())
            .build();
    byte[] both = first.toByteString().concat(second.toByteString()).toByteArray();
    ProtoComparison.same(ours(both), reference(both));
    assertThat(ours(both).graph().nodes()).hasSize(2);
  }

  private static DynamicMessage node(String operator) {
    return OnnxMessages.builder("NodeProto").set("op_type", operator).build();
  }

  @Test
  void numbersAreReadPackedAndUnpacked() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    // dims unpacked, packed, unpacked; int64_data, declared packed, unpacked.
    out.writeInt64(1, 2);
    out.writeByteArray(1, new byte[] {3, 4});
    out.writeInt64(1, 5);
    out.writeInt32(2, 7);
    out.writeInt64(7, -1);
    out.writeInt64(7, 6);
    out.writeFloat(4, 1.5f);
    out.writeByteArray(4, new byte[] {0, 0, 0, 64});
    out.flush();
    TensorProto tensor = TensorProto.read(MemorySegment.ofArray(bytes.toByteArray()));
    assertThat(tensor.dims()).containsExactly(2, 3, 4, 5);
    List<Long> numbers = new ArrayList<>();
    tensor.forEach(TensorProto.Field.INT64S, numbers::add);
    assertThat(numbers).containsExactly(-1L, 6L);
    List<Float> floats = new ArrayList<>();
    tensor.forEach(TensorProto.Field.FLOATS, bits -> floats.add(Float.intBitsToFloat((int) bits)));
    assertThat(floats).containsExactly(1.5f, 2f);
    assertThat(tensor.packedData(TensorProto.Field.FLOATS)).isNull();
  }

  @Test
  void unknownFieldsAndGroupsAreSkipped() throws IOException {
    UnknownFieldSet inner =
        UnknownFieldSet.newBuilder()
            .addField(3, UnknownFieldSet.Field.newBuilder().addVarint(5).build())
            .build();
    UnknownFieldSet unknown =
        UnknownFieldSet.newBuilder()
            .addField(99, UnknownFieldSet.Field.newBuilder().addGroup(inner).build())
            .addField(98, UnknownFieldSet.Field.newBuilder().addFixed64(1).addFixed32(2).build())
            .build();
    DynamicMessage model =
        OnnxMessages.builder("ModelProto")
            .set("ir_version", 7L)
            .set("graph", OnnxMessages.builder("GraphProto").add("node", node("A")).build())
            .build();
    byte[] bytes = unknown.toByteString().concat(model.toByteString()).toByteArray();
    ProtoComparison.same(ours(bytes), reference(bytes));
  }

  @Test
  void deeplyNestedSubgraphsAreRefused() {
    DynamicMessage graph = OnnxMessages.builder("GraphProto").set("name", "inner").build();
    ByteString bytes = graph.toByteString();
    for (int i = 0; i < 10_000; i++) {
      // A graph (field 6 of an attribute, field 5 of a node, field 1 of a graph) around it.
      bytes = wrapped(1, wrapped(5, wrapped(6, bytes)));
    }
    byte[] model = wrapped(7, bytes).toByteArray();
    assertThatThrownBy(() -> ours(model))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageContaining("nested more than 100 levels deep");
  }

  private static ByteString wrapped(int field, ByteString content) {
    ByteString.Output bytes = ByteString.newOutput(16);
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    try {
      out.writeTag(field, 2);
      out.writeUInt32NoTag(content.size());
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteString().concat(content);
  }
}
