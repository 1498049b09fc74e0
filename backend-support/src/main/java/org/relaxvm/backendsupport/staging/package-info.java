/** Copies between host memory of any kind and queues of a device. */
@NullMarked
package org.relaxvm.backendsupport.staging;

import org.jspecify.annotations.NullMarked;
