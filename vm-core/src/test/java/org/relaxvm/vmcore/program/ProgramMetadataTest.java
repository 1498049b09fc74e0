package org.relaxvm.vmcore.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.vmcore.executable.SourceNodes;

class ProgramMetadataTest {
  @Test
  void jsonHoldsEveryField() {
    ProgramMetadata metadata = Samples.metadata();
    assertThat(ProgramMetadata.fromJson(metadata.toJson())).isEqualTo(metadata);
  }

  @Test
  void jsonHoldsTheNodesOfTheImportedModel() {
    SourceNodes nodes =
        new SourceNodes(List.of(new SourceNodes.Range(2, 4, List.of("/a \"quoted\"", "/b"))));
    ProgramMetadata metadata = ProgramMetadata.builder().sourceNodes(nodes).build();
    assertThat(ProgramMetadata.fromJson(metadata.toJson())).isEqualTo(metadata);
    assertThat(ProgramMetadata.EMPTY.toJson()).doesNotContain("sourceNodes");
    assertThatThrownBy(
            () -> ProgramMetadata.fromJson("{\"sourceNodes\": [{\"from\": 3, \"to\": 3}]}"))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage("metadata.json: the range of instructions 3 to 3 is not after 0");
  }

  @Test
  void absentFieldsHaveDefaults() {
    assertThat(ProgramMetadata.fromJson("{}")).isEqualTo(ProgramMetadata.EMPTY);
    assertThat(ProgramMetadata.EMPTY.function()).isEqualTo("main");
  }

  @Test
  void unknownFieldsAreIgnored() {
    ProgramMetadata metadata =
        ProgramMetadata.fromJson("{\"name\": \"a\", \"colour\": {\"of\": [1, null]}}");
    assertThat(metadata).isEqualTo(ProgramMetadata.builder().name("a").build());
  }

  @Test
  void wrongTypesNameTheField() {
    assertThatThrownBy(() -> ProgramMetadata.fromJson("{\"labels\": [\"a\", 7]}"))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage("metadata.json: field 'labels' must be a text, but is 7");
    assertThatThrownBy(
            () ->
                ProgramMetadata.fromJson(
                    "{\"inputs\": [{\"dtype\": \"float32\", \"shape\": [1.5]}]}"))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage(
            "metadata.json: inputs[0]: field 'shape' must be a list of integers and symbol names,"
                + " but is 1.5");
  }

  @Test
  void wrongValuesNameTheRule() {
    assertThatThrownBy(
            () ->
                ProgramMetadata.fromJson(
                    "{\"inputs\": [{\"dtype\": \"float32\", \"shape\": [-1]}]}"))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage("metadata.json: a dimension must not be negative, but got -1");
    assertThatThrownBy(
            () ->
                ProgramMetadata.fromJson("{\"image\": {\"input\": \"x\", \"colour\": \"sepia\"}}"))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage(
            "metadata.json: image: field 'colour' must be one of grey, rgb, but is \"sepia\"");
  }

  @Test
  void brokenJsonIsRefused() {
    assertThatThrownBy(() -> ProgramMetadata.fromJson("[1]"))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage("metadata.json: expected a JSON object, but got a list");
    assertThatThrownBy(() -> ProgramMetadata.fromJson("{\"name\": "))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageStartingWith("metadata.json is not valid JSON: ");
  }

  @Test
  void imageChecksItsChannels() {
    assertThatThrownBy(
            () -> ImageSpec.grey("x", 28, 28).withNormalisation(1, List.of(0.0, 0.0), List.of(1.0)))
        .isInstanceOf(CallException.class)
        .hasMessage(
            "image description: mean and std have one number per channel, which is 1 for grey,"
                + " but got 2 and 1");
  }

  @Test
  void tensorsPrintAsTheyAreWritten() {
    assertThat(TensorSpec.of("x", DType.FLOAT32, Dim.symbol("n"), Dim.of(3)))
        .hasToString("x: float32[n, 3]");
  }

  @Test
  void devicesOfTheProgramAndOfItsInputsAreKept() {
    DeviceId device = new DeviceId("opencl", 1);
    ProgramMetadata placed =
        ProgramMetadata.builder()
            .devices(List.of(device, DeviceId.CPU))
            .input(new TensorSpec("x", DType.FLOAT32, List.of(Dim.of(4)), Optional.of(device)))
            .build();
    ProgramMetadata read = ProgramMetadata.fromJson(placed.toJson());
    assertThat(read).isEqualTo(placed);
    assertThat(read.inputs().getFirst()).hasToString("x: float32[4] on opencl:1");
    assertThat(ProgramMetadata.EMPTY.toJson()).doesNotContain("device");
  }

  @Test
  void aDeviceWithABadNameIsRefused() {
    assertThatThrownBy(() -> ProgramMetadata.fromJson("{\"devices\": [\"Open CL\"]}"))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage(
            "metadata.json: malformed device name 'Open CL:0': expected a backend name and"
                + " optionally a number, such as cpu, cuda:0 or opencl:1");
  }
}
