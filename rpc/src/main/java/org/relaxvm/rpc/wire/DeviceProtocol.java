package org.relaxvm.rpc.wire;

/**
 * Names of the functions with which a server of RelaxVM offers its devices. They are functions of
 * the protocol like any other, so that other clients and servers are not disturbed.
 */
public final class DeviceProtocol {
  /** {@code ()}: a JSON list of the devices, see the fields below. */
  public static final String DEVICES = "relaxvm.rpc.devices";

  /** {@code (device, name)}: a function of a device's kernel library, or null. */
  public static final String LIBRARY_FUNCTION = "relaxvm.rpc.library_function";

  /**
   * {@code (device, digest, header, bytes)}: a module of kernels. The bytes may be left out: the
   * result is null where the server does not keep the image.
   */
  public static final String LOAD_IMAGE = "relaxvm.rpc.load_image";

  /** {@code (module)}: JSON with the functions of a module and the reasons why it lacks others. */
  public static final String IMAGE_FUNCTIONS = "relaxvm.rpc.image_functions";

  /**
   * {@code (function, layout, values...)}: calls a function whose arguments the protocol cannot
   * carry. A layout has one letter for each: {@code v} a value, {@code S} a shape, {@code T} a
   * tuple and {@code R} a tensor with strides, these with their size in digits and a point. Fields
   * of a tuple follow it. A strided tensor is a view of its memory, dtype, offset in bytes, extents
   * and strides.
   */
  public static final String INVOKE = "relaxvm.rpc.invoke";

  public static final String NAME = "name";
  public static final String HOST = "host";
  public static final String DESCRIPTION = "description";
  public static final String MEMORY_BYTES = "memoryBytes";
  public static final String ALIGNMENT = "alignment";
  public static final String ALLOCATION_BYTES = "allocationBytes";
  public static final String DETAILS = "details";
  public static final String FORMATS = "formats";
  public static final String LIBRARY = "library";
  public static final String TYPE = "type";
  public static final String ID = "id";

  public static final String FORMAT = "format";
  public static final String SYMBOLS = "symbols";
  public static final String ENTRIES = "entries";
  public static final String PARAMETERS = "parameters";
  public static final String TAGS = "launchTags";
  public static final String TENSOR_MAPS = "tensorMaps";
  public static final String UNIFORM = "uniformScalars";

  public static final String FUNCTIONS = "functions";
  public static final String LACKS = "lacks";

  private DeviceProtocol() {}
}
