/**
 * Matrix products by a library of a device's vendor, instead of kernels that are generated. Start
 * with {@link org.relaxvm.backendsupport.vendor.ProductLibrary}.
 */
@NullMarked
package org.relaxvm.backendsupport.vendor;

import org.jspecify.annotations.NullMarked;
