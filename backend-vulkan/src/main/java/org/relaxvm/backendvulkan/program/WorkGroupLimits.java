package org.relaxvm.backendvulkan.program;

import java.util.Arrays;
import java.util.List;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.backendvulkan.context.DeviceContext;
import org.relaxvm.backendvulkan.driver.DeviceReport.Limits;

/** Checks launches against the limits of a device. Stateless. */
public final class WorkGroupLimits {
  private static final String REMEDY =
      "\n  what to do: compile the program for the limits of this device, which 'relaxvm doctor'"
          + " shows";

  private WorkGroupLimits() {}

  /** Checks the work-items of a work-group along x, y and z. */
  static void require(DeviceContext context, String kernel, long[] size) {
    Limits limits = context.facts().limits();
    long items = 1;
    boolean fits = true;
    for (int axis = 0; axis < size.length; axis++) {
      fits &= size[axis] <= limits.maxWorkGroupSize().get(axis);
      // Each is below 2^32, and no product of those before is above the limit.
      items = fits ? items * size[axis] : items;
      fits &= items <= limits.maxWorkGroupItems();
    }
    if (!fits) {
      throw new BackendException(
          ErrorKind.VALUE,
          context.id()
              + " cannot run the kernel "
              + kernel
              + " in groups of "
              + Arrays.toString(size)
              + ": a group has at most "
              + limits.maxWorkGroupItems()
              + " work-items, and "
              + limits.maxWorkGroupSize()
              + " along its axes"
              + REMEDY);
    }
  }

  /**
   * Checks the number of work-groups along each axis of a launch.
   *
   * @throws BackendException when there are more than the device can launch
   */
  public static void requireCount(DeviceContext context, VulkanKernel kernel, long[] workGroups) {
    List<Long> most = context.facts().limits().maxWorkGroupCount();
    for (int axis = 0; axis < workGroups.length; axis++) {
      if (workGroups[axis] > most.get(axis)) {
        throw new BackendException(
            ErrorKind.VALUE,
            context.id()
                + " cannot launch the kernel "
                + kernel
                + " with "
                + Arrays.toString(workGroups)
                + " groups: it launches at most "
                + most
                + REMEDY);
      }
    }
  }
}
