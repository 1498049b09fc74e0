package org.relaxvm.interoponnx.proto;

/**
 * What a model says of a value. Immutable.
 *
 * @param type {@link TypeProto.Unknown} when nothing is said
 */
public record ValueInfoProto(String name, TypeProto type, String docString) {

  static ValueInfoProto of(WireMessage info) {
    WireMessage type = info.message(2);
    return new ValueInfoProto(
        info.string(1),
        type == null ? new TypeProto.Unknown(0) : TypeProto.of(type),
        info.string(3));
  }
}
