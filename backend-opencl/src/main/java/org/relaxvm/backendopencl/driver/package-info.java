/**
 * The calls of OpenCL that this backend makes, as an interface: {@link
 * org.relaxvm.backendopencl.driver.OpenCl}. Codes become exceptions here, handles are counted here,
 * and tests put their failures in here.
 */
@NullMarked
package org.relaxvm.backendopencl.driver;

import org.jspecify.annotations.NullMarked;
