package org.relaxvm.interoponnx.hostile;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.relaxvm.interoponnx.OnnxMessages;
import org.relaxvm.interoponnx.StandardOperators;
import org.relaxvm.interoponnx.convert.OperatorTable;

/**
 * Changes models at random: fields are dropped, doubled, swapped, set, or get values of other
 * fields, such as a name, an operator, an extent or a whole message of another place. Sometimes
 * bytes of the file are changed, too.
 */
final class ModelMutator {
  private static final long[] NUMBERS = {
    0,
    1,
    2,
    3,
    -1,
    -2,
    7,
    64,
    1000,
    65_537,
    1L << 31,
    1L << 32,
    1L << 40,
    1L << 62,
    Long.MAX_VALUE,
    Long.MIN_VALUE,
    Integer.MAX_VALUE,
    Integer.MIN_VALUE
  };
  private static final float[] REALS = {
    0, 1, -1, 0.5f, 1e-20f, 1e30f, Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY
  };
  private static final List<String> TEXTS =
      List.of("", "x", "..", "nearest", "constant", "SAME_UPPER", "NOTSET", "n", "2*n", "n/0", "?");
  private static final List<OperatorTable.Entry> OPERATORS =
      List.copyOf(StandardOperators.table().entries());

  private final SplittableRandom random;
  private final Message original;
  private final Message other;

  /**
   * @param original the model that is changed
   * @param other another model, parts of which are put into it
   */
  ModelMutator(Message original, Message other, SplittableRandom random) {
    this.original = original;
    this.other = other;
    this.random = random;
  }

  /** A file with a changed model. */
  byte[] mutated() {
    Message model = original;
    int kind = random.nextInt(8);
    if (kind > 0) {
      for (int i = random.nextInt(4) / 2; i >= 0; i--) {
        model = replaced(model, random.nextInt(count(model)), this::changed);
      }
    }
    byte[] bytes = model.toByteArray();
    return kind < 2 ? changed(bytes) : bytes;
  }

  // ---------------------------------------------------------------- messages

  private static List<Message> children(Message message, FieldDescriptor field) {
    if (field.getJavaType() != JavaType.MESSAGE) {
      return List.of();
    }
    Object value = message.getField(field);
    if (!field.isRepeated()) {
      return List.of((Message) value);
    }
    return ((List<?>) value).stream().map(Message.class::cast).toList();
  }

  private static int count(Message message) {
    int count = 1;
    for (FieldDescriptor field : message.getAllFields().keySet()) {
      for (Message child : children(message, field)) {
        count += count(child);
      }
    }
    return count;
  }

  /** The model with a change to one of its messages, which are counted in preorder. */
  private static Message replaced(Message message, int index, UnaryOperator<Message> change) {
    if (index == 0) {
      return change.apply(message);
    }
    int left = index - 1;
    for (FieldDescriptor field : message.getAllFields().keySet()) {
      List<Message> children = children(message, field);
      for (int i = 0; i < children.size(); i++) {
        int size = count(children.get(i));
        if (left < size) {
          Message changed = replaced(children.get(i), left, change);
          Message.Builder builder = message.toBuilder();
          return field.isRepeated()
              ? builder.setRepeatedField(field, i, changed).build()
              : builder.setField(field, changed).build();
        }
        left -= size;
      }
    }
    throw new IllegalArgumentException("no message " + index);
  }

  private static List<Message> messages(Message root, Descriptor type) {
    List<Message> found = new ArrayList<>();
    collect(root, type, found);
    return found;
  }

  private static void collect(Message message, Descriptor type, List<Message> found) {
    if (message.getDescriptorForType().equals(type)) {
      found.add(message);
    }
    for (FieldDescriptor field : message.getAllFields().keySet()) {
      children(message, field).forEach(child -> collect(child, type, found));
    }
  }

  private Message changed(Message message) {
    List<FieldDescriptor> present = List.copyOf(message.getAllFields().keySet());
    List<FieldDescriptor> fields = message.getDescriptorForType().getFields();
    boolean isSet = !present.isEmpty() && random.nextInt(5) > 0;
    FieldDescriptor field =
        isSet
            ? present.get(random.nextInt(present.size()))
            : fields.get(random.nextInt(fields.size()));
    Message.Builder builder = message.toBuilder();
    if (field.isRepeated()) {
      changeList(builder, field);
    } else if (random.nextInt(6) == 0) {
      builder.clearField(field);
    } else {
      builder.setField(field, value(field));
    }
    return builder.build();
  }

  private void changeList(Message.Builder builder, FieldDescriptor field) {
    List<Object> values = new ArrayList<>((List<?>) builder.getField(field));
    int at = values.isEmpty() ? 0 : random.nextInt(values.size());
    switch (values.isEmpty() ? 0 : random.nextInt(6)) {
      case 0 -> values.add(at, value(field));
      case 1 -> values.remove(at);
      case 2 -> values.add(values.get(at));
      case 3 -> values.add(at, values.remove(random.nextInt(values.size())));
      case 4 -> values.subList(at, values.size()).clear();
      default -> values.set(at, value(field));
    }
    builder.setField(field, values);
  }

  private Object value(FieldDescriptor field) {
    return switch (field.getJavaType()) {
      case LONG -> number(field);
      case INT -> random.nextInt(4) == 0 ? (int) number(field) : random.nextInt(30);
      case FLOAT -> REALS[random.nextInt(REALS.length)];
      case DOUBLE -> (double) REALS[random.nextInt(REALS.length)];
      case STRING -> text(field);
      case BYTE_STRING -> bytes(field);
      case MESSAGE -> message(field.getMessageType());
      default -> throw new IllegalArgumentException(field.getFullName());
    };
  }

  private long number(FieldDescriptor field) {
    boolean isOpset = field.getName().equals("version");
    return isOpset && random.nextBoolean()
        ? random.nextInt(30)
        : NUMBERS[random.nextInt(NUMBERS.length)];
  }

  private String text(FieldDescriptor field) {
    if (field.getName().equals("op_type") && random.nextInt(4) > 0) {
      return OPERATORS.get(random.nextInt(OPERATORS.size())).name();
    }
    if (field.getName().equals("domain") && random.nextBoolean()) {
      return OPERATORS.get(random.nextInt(OPERATORS.size())).domain();
    }
    List<String> texts = new ArrayList<>(TEXTS);
    collectTexts(original, field, texts);
    return texts.get(random.nextInt(texts.size()));
  }

  /** Names: those of values belong together, whatever message they are in. */
  private static void collectTexts(Message message, FieldDescriptor wanted, List<String> texts) {
    message
        .getAllFields()
        .forEach(
            (field, value) -> {
              if (field.getJavaType() == JavaType.STRING
                  && isOfValues(field) == isOfValues(wanted)) {
                if (value instanceof List<?> list) {
                  list.forEach(each -> texts.add((String) each));
                } else {
                  texts.add((String) value);
                }
              }
              children(message, field).forEach(child -> collectTexts(child, wanted, texts));
            });
  }

  private static boolean isOfValues(FieldDescriptor field) {
    String message = field.getContainingType().getName();
    return message.equals("ValueInfoProto")
        || message.equals("TensorProto")
        || (message.equals("NodeProto") && field.isRepeated());
  }

  private ByteString bytes(FieldDescriptor field) {
    List<ByteString> found = new ArrayList<>();
    for (Message message : messages(original, field.getContainingType())) {
      Object value = message.getField(field);
      if (value instanceof ByteString bytes) {
        found.add(bytes);
      } else if (value instanceof List<?> list) {
        list.forEach(each -> found.add((ByteString) each));
      }
    }
    if (found.isEmpty() || random.nextInt(4) == 0) {
      return ByteString.copyFromUtf8(TEXTS.get(random.nextInt(TEXTS.size())));
    }
    ByteString bytes = found.get(random.nextInt(found.size()));
    return switch (random.nextInt(4)) {
      case 0 -> bytes.concat(bytes);
      case 1 -> bytes.substring(0, random.nextInt(bytes.size() + 1));
      case 2 -> ByteString.copyFrom(changed(bytes.toByteArray()));
      default -> bytes;
    };
  }

  /** A message of this model or of another, or an empty one. */
  private Message message(Descriptor type) {
    List<Message> found = messages(random.nextBoolean() ? original : other, type);
    return found.isEmpty() || random.nextInt(10) == 0
        ? DynamicMessage.getDefaultInstance(type)
        : found.get(random.nextInt(found.size()));
  }

  // ---------------------------------------------------------------- bytes

  private byte[] changed(byte[] original) {
    byte[] bytes = original.clone();
    for (int i = random.nextInt(3); i >= 0 && bytes.length > 0; i--) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(5)) {
        case 0 -> bytes[at] = (byte) random.nextInt();
        case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 2 -> Arrays.fill(bytes, at, Math.min(bytes.length, at + 9), (byte) -1);
        case 3 -> bytes = Arrays.copyOf(bytes, at);
        default -> {
          int from = random.nextInt(bytes.length);
          int length = Math.min(16, bytes.length - Math.max(from, at));
          System.arraycopy(bytes, from, bytes, at, length);
        }
      }
    }
    return bytes;
  }

  /** The model of a file. */
  static Message model(byte[] bytes) {
    try {
      return DynamicMessage.parseFrom(OnnxMessages.descriptor("ModelProto"), bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
