/**
 * Large sums of products for devices with many registers, copies that run beside the work, and
 * tensor cores.
 */
@NullMarked
package org.relaxvm.backendsupport.gpu.products;

import org.jspecify.annotations.NullMarked;
