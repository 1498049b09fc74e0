package org.relaxvm.rpc.device;

import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.rpc.connection.Endpoint;
import org.relaxvm.rpc.error.RpcException;

/**
 * The address of a remote device: {@code rpc://host:port/kind:number}; without a device it is the
 * server's host, {@code cpu:0}.
 */
record RemoteAddress(Endpoint endpoint, String device) {
  static final String SCHEME = "rpc";

  static RemoteAddress parse(String address) {
    String prefix = SCHEME + "://";
    if (!address.startsWith(prefix)) {
      throw malformed(address);
    }
    String rest = address.substring(prefix.length());
    int slash = rest.indexOf('/');
    String device = slash < 0 ? "" : rest.substring(slash + 1);
    if (device.isEmpty()) {
      device = "cpu:0";
    } else if (device.indexOf(':') < 0) {
      device += ":0";
    }
    try {
      return new RemoteAddress(Endpoint.parse(slash < 0 ? rest : rest.substring(0, slash)), device);
    } catch (RpcException e) {
      throw malformed(address);
    }
  }

  private static RpcException malformed(String address) {
    return new RpcException(
        ErrorKind.VALUE,
        "malformed address of a remote device '"
            + address
            + "': expected rpc://host:port/device, such as rpc://192.168.0.7:9091/opencl:0");
  }

  @Override
  public String toString() {
    return SCHEME + "://" + endpoint + "/" + device;
  }
}
