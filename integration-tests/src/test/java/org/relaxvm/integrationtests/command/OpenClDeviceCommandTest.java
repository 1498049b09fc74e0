package org.relaxvm.integrationtests.command;

import org.relaxvm.integrationtests.devices.NeedsDevice;

@NeedsDevice("opencl:0")
class OpenClDeviceCommandTest extends DeviceCommands {
  OpenClDeviceCommandTest() {
    super("opencl");
  }
}
