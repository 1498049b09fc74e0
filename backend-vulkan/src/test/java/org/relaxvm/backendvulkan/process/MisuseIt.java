package org.relaxvm.backendvulkan.process;

import java.util.List;
import org.relaxvm.backendvulkan.driver.BufferUse;
import org.relaxvm.backendvulkan.driver.Commands;
import org.relaxvm.backendvulkan.driver.DeviceBuffer;
import org.relaxvm.backendvulkan.driver.DeviceCalls;
import org.relaxvm.backendvulkan.driver.LwjglVulkan;
import org.relaxvm.backendvulkan.driver.TimelinePoint;

/** Uses a device wrongly, and says what the validation layer finds. */
final class MisuseIt {
  private MisuseIt() {}

  public static void main(String[] args) {
    LwjglVulkan vulkan = LwjglVulkan.load();
    long instance = vulkan.createInstance();
    long physical = vulkan.physicalDevices(instance).getFirst();
    DeviceCalls device = vulkan.createDevice(instance, physical, vulkan.report(instance, physical));
    DeviceBuffer source = device.createBuffer(256, BufferUse.DEVICE);
    DeviceBuffer target = device.createBuffer(256, BufferUse.DEVICE);
    Commands commands = device.createCommands();
    commands.begin(false);
    commands.copy(source.handle(), 0, target.handle(), 0, 256);
    // Nothing keeps the first copy from being done after this one.
    commands.copy(source.handle(), 0, target.handle(), 0, 256);
    commands.end();
    long timeline = device.createTimeline();
    TimelinePoint done = new TimelinePoint(timeline, 1);
    device.submit(commands, List.of(), done);
    device.awaitTimeline(done);
    commands.destroy();
    device.destroyBuffer(source);
    device.destroyBuffer(target);
    // The semaphore is left over.
    device.destroy();
    vulkan.destroyInstance(instance);
    vulkan.faults().forEach(fault -> System.out.println("found: " + fault));
    System.out.println("and then: " + vulkan.faults());
  }
}
