package org.relaxvm.interoponnx;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Label;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Type;
import com.google.protobuf.DescriptorProtos.FieldOptions;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.OneofDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** The messages of ONNX files for the protobuf library. */
public final class OnnxMessages {
  private static final FileDescriptor FILE = file();

  private OnnxMessages() {}

  /** The descriptor of a message, such as {@code ModelProto}. */
  public static Descriptor descriptor(String message) {
    return Objects.requireNonNull(FILE.findMessageTypeByName(message), message);
  }

  /** A field of a message. */
  public static FieldDescriptor field(String message, String field) {
    return Objects.requireNonNull(descriptor(message).findFieldByName(field), field);
  }

  /** A builder of a message. */
  public static Builder builder(String message) {
    return new Builder(DynamicMessage.newBuilder(descriptor(message)));
  }

  /** Builds a message by names of fields. */
  public static final class Builder {
    private final DynamicMessage.Builder message;

    private Builder(DynamicMessage.Builder message) {
      this.message = message;
    }

    /** Sets a singular field. */
    public Builder set(String field, Object value) {
      message.setField(named(field), value);
      return this;
    }

    /** Adds to a repeated field. */
    public Builder add(String field, Object... values) {
      for (Object value : values) {
        message.addRepeatedField(named(field), value);
      }
      return this;
    }

    private FieldDescriptor named(String field) {
      return Objects.requireNonNull(message.getDescriptorForType().findFieldByName(field), field);
    }

    /** The message. */
    public DynamicMessage build() {
      return message.build();
    }
  }

  private static FileDescriptor file() {
    FileDescriptorProto.Builder file =
        FileDescriptorProto.newBuilder().setName("onnx").setPackage("onnx");
    DescriptorProto.Builder message = null;
    for (String line : lines()) {
      if (line.startsWith("#")) {
        continue;
      }
      if (line.startsWith(" ")) {
        addField(Objects.requireNonNull(message), line.strip().split(" "));
      } else {
        message = file.addMessageTypeBuilder().setName(line);
      }
    }
    try {
      return FileDescriptor.buildFrom(file.build(), new FileDescriptor[0]);
    } catch (DescriptorValidationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void addField(DescriptorProto.Builder message, String[] parts) {
    FieldDescriptorProto.Builder field =
        message.addFieldBuilder().setNumber(Integer.parseInt(parts[0])).setName(parts[3]);
    boolean isMany = parts[1].equals("repeated") || parts[1].equals("packed");
    field.setLabel(isMany ? Label.LABEL_REPEATED : Label.LABEL_OPTIONAL);
    if (parts[1].equals("packed")) {
      field.setOptions(FieldOptions.newBuilder().setPacked(true));
    }
    if (parts[1].equals("oneof")) {
      if (message.getOneofDeclCount() == 0) {
        message.addOneofDecl(OneofDescriptorProto.newBuilder().setName("value"));
      }
      field.setOneofIndex(0);
    }
    if (parts[2].endsWith("Proto")) {
      field.setType(Type.TYPE_MESSAGE).setTypeName(".onnx." + parts[2]);
    } else {
      field.setType(Type.valueOf("TYPE_" + parts[2].toUpperCase(Locale.ROOT)));
    }
  }

  private static List<String> lines() {
    try (InputStream in =
        Objects.requireNonNull(OnnxMessages.class.getResourceAsStream("onnx-messages.txt"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
